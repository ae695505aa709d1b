import { beforeAll, expect, test } from "vitest";
import { appTools } from "../../functions/mcp/tools.ts";
import { cardSize } from "../../functions/renders/report.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { givenAnswer } from "../support/given-answers.ts";
import { givenComment } from "../support/given-feedback.ts";
import { givenPictureBytes, givenRender } from "../support/given-render.ts";
import { connectMcp, type McpClient } from "../support/mcp-client.ts";

// Hosts of MCP Apps show a page in the chat. The page calls these tools with the token of the person who chats.

type AppToolName = (typeof appTools)[number]["name"];

let account: Account;
let mcp: McpClient;
let stranger: McpClient;

beforeAll(async () => {
  account = await newAccount("mcp-apps");
  [mcp, stranger] = await Promise.all([
    connectMcp(account.api.token),
    newAccount("mcp-apps-stranger").then(({ api }) => connectMcp(api.token)),
  ]);
});

/** Calls a tool and returns its data, typed loosely because the tool's type describes the API's response. */
async function dataOf(name: AppToolName, given: object): Promise<Record<string, unknown>> {
  const { structuredContent, isError, content } = await mcp.call(name, { ...given });
  if (isError) throw new Error(JSON.stringify(content));
  return structuredContent as Record<string, unknown>;
}

test("the chat's page reads its details, versions and HTML, and the model gets only a short text", async () => {
  const html = pageOf("in the chat");
  const { slug, url } = await publish(account.api, { html, title: "Chat" });
  await mcp.succeed("update_drop", { slug, html: pageOf("later"), note: "Later" });

  expect(await dataOf("page_details", { slug })).toMatchObject({ url, title: "Chat", latest_version: 2 });
  expect(await dataOf("page_versions", { slug })).toMatchObject({
    versions: [{ version: 2, note: "Later" }, { version: 1 }],
  });
  const size_bytes = Buffer.byteLength(html);
  const shown = await mcp.call("page_html", { slug, version: 1 });
  expect(shown.structuredContent).toEqual({ slug, version: 1, size_bytes, html });
  expect(shown.content).toEqual([{ type: "text", text: JSON.stringify({ slug, version: 1, size_bytes }) }]);
  expect(await dataOf("page_html", { slug })).toMatchObject({ version: 2, html: pageOf("later") });
});

test("the HTML of a page with a passcode or restricted readers is returned to its owner's token", async () => {
  const html = pageOf("guarded");
  for (const guard of [
    { passcode: "open sesame" },
    { visibility: "people", readers: ["ada@team.example"] },
  ]) {
    const { slug } = await publish(account.api, { html, ...guard });

    expect(await dataOf("page_html", { slug })).toMatchObject({ html });
  }
});

test("HTML is omitted with a reason for a folder, a page above 1 MB, and HTML that is too long as JSON", async () => {
  const folder = await mcp.succeed("publish_drop", { files: { "index.html": pageOf("folder") } });
  const size = 1_000_001;
  const long = await publish(account.api, { html: `<p>${"x".repeat(size - 3)}` });
  const quoted = await publish(account.api, { html: `<p>${"\u0001".repeat(900_000)}` });

  expect(await dataOf("page_html", { slug: folder.slug })).toEqual({
    slug: folder.slug,
    version: 1,
    omitted: "folder",
  });
  expect(await dataOf("page_html", { slug: long.slug })).toEqual({
    slug: long.slug,
    version: 1,
    size_bytes: size,
    omitted: "too_large",
  });
  expect(await dataOf("page_html", { slug: quoted.slug })).toMatchObject({ omitted: "too_large" });
});

test("the chat's page changes its readers and restores a version", async () => {
  const { slug } = await publish(account.api, { html: pageOf("first"), title: "Chat" });
  await mcp.succeed("update_drop", { slug, html: pageOf("second") });

  const readers = ["ada@team.example"];
  expect(await dataOf("page_readers", { slug, visibility: "people", readers })).toMatchObject({
    visibility: "people",
    readers,
    title: "Chat",
  });
  expect(await dataOf("page_restore", { slug, version: 1 })).toMatchObject({ slug, latest_version: 3 });
  expect(await dataOf("page_html", { slug })).toMatchObject({ version: 3, html: pageOf("first") });
});

test("the chat's page lists its open comments and resolves one", async () => {
  const { slug } = await publish(account.api, { feedback: "readers" });
  await givenComment(account.userId, slug, { text: "Change this" });

  const { comments } = (await dataOf("page_comments", { slug })) as {
    comments: { text: string; thread: { id: number } }[];
  };
  expect(comments).toMatchObject([{ text: "Change this", thread: { state: "open" } }]);
  const thread = comments[0]?.thread.id;
  expect(await dataOf("page_resolve_comment", { slug, thread })).toMatchObject({
    thread: { id: thread, state: "resolved" },
  });
  expect(await dataOf("page_comments", { slug })).toMatchObject({ comments: [] });
});

test("the chat's page lists the 20 newest answers to all forms, newest first, without replaced ones", async () => {
  const { slug } = await publish(account.api, { answers: "readers" });
  const give = (number: number, person = `${number}`) =>
    givenAnswer(account.userId, slug, {
      form: number % 2 ? "vote" : "topics",
      fields: [["n", `${number}`]],
      person,
    });
  for (let number = 1; number <= 21; number += 1) await give(number);
  await give(23, "21");

  const some = await dataOf("page_answers", { slug });
  await account.api.succeed("delete-answers", { params: { slug }, query: { form: "topics" } });
  await account.api.succeed("edit-drop", { params: { slug }, body: { answers: "off" } });
  const rest = await dataOf("page_answers", { slug });

  const numbersOf = ({ answers }: Record<string, unknown>) =>
    (answers as { fields: { n: string } }[]).map(({ fields }) => Number(fields.n));
  expect(numbersOf(some)).toEqual([23, ...Array.from({ length: 19 }, (_, index) => 20 - index)]);
  expect(some).toMatchObject({ has_more: true, untrusted: expect.stringContaining("readers") });
  expect(numbersOf(rest)).toEqual([23, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1]);
  expect(rest).toMatchObject({ has_more: false });
});

test("the chat's page gets the card of a rendered version, and no image for a version without one", async () => {
  const { slug } = await publish(account.api);
  await mcp.succeed("update_drop", { slug, html: pageOf("later") });
  await givenRender({ slug });

  const [first, latest] = [
    await mcp.call("page_picture", { slug, version: 1 }),
    await mcp.call("page_picture", { slug }),
  ];

  const data = { slug, version: 1, width: cardSize.widthPx, height: cardSize.heightPx };
  const image = givenPictureBytes(slug, 1, "card").toString("base64");
  expect(first).toMatchObject({
    structuredContent: data,
    content: [
      { type: "text", text: JSON.stringify(data) },
      { type: "image", mimeType: "image/png", data: image },
    ],
  });
  expect(latest.structuredContent).toEqual({ slug, version: 2 });
  expect(latest.content.map(({ type }) => type)).toEqual(["text"]);
});

test("a revoked token is refused by every tool of the chat's page", async () => {
  const leaver = await newAccount("mcp-apps-leaver");
  const { slug } = await publish(leaver.api);
  const client = await connectMcp(leaver.api.token);
  const { tokens } = await leaver.api.succeed("list-tokens");
  await leaver.api.succeed("revoke-token", { params: { id: tokens[0]?.id ?? "" } });

  for (const { name } of appTools) {
    const given = { slug, version: 1, thread: 1, visibility: "public" };
    await expect(client.call(name, given), name).rejects.toThrow(/unauthorized|HTTP 401/);
  }
});

test.each<[AppToolName, object]>([
  ["page_details", {}],
  ["page_html", { version: 1 }],
  ["page_versions", {}],
  ["page_comments", {}],
  ["page_answers", {}],
  ["page_readers", { visibility: "public" }],
  ["page_restore", { version: 1 }],
  ["page_resolve_comment", { thread: 1 }],
  ["page_picture", { version: 1 }],
])("%s is refused for a page of another account, and changes nothing", async (name, given) => {
  const { slug } = await publish(account.api, { visibility: "members", feedback: "readers" });
  const before = await account.api.succeed("get-drop", { params: { slug } });

  await stranger.refuse(name, { slug, ...given }, "not_found");

  expect(await account.api.succeed("get-drop", { params: { slug } })).toEqual(before);
});

test.each<[AppToolName, object, string]>([
  ["page_readers", { title: "Another" }, '"title"'],
  ["page_readers", { visibility: "everyone" }, "visibility"],
  ["page_html", { part: "context" }, '"part"'],
  ["page_html", { version: "one" }, "version"],
  ["page_comments", { state: "resolved" }, '"state"'],
  ["page_answers", { since: 1 }, '"since"'],
  ["page_resolve_comment", {}, "thread is required"],
  ["page_picture", { views: ["phone-light"] }, '"views"'],
  ["page_restore", {}, "version"],
])("%s refuses %j and lists the accepted arguments", async (name, given, words) => {
  const { slug } = await publish(account.api);

  const { message, details } = await mcp.refuse(name, { slug, ...given }, "invalid_arg");

  expect(message).toContain(words);
  expect(message).toContain(`${name} takes ${name === "page_comments" ? "since, slug" : "slug*"}`);
  expect(details.expected).toMatchObject({ operation: name });
});
