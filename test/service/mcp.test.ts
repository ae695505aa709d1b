import { createHash } from "node:crypto";
import pLimit from "p-limit";
import { beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { mcpTools } from "../../functions/mcp/tools.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectErrorShape } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { connectMcp, type McpClient, revisions, type ToolName } from "../support/mcp-client.ts";

let account: Account;
let stranger: Account;
let mcp: McpClient;

beforeAll(async () => {
  [account, stranger] = await Promise.all([newAccount("mcp"), newAccount("mcp-stranger")]);
  mcp = await connectMcp(account.api.token);
});

describe("the tools", () => {
  test("are those of the contract, without the sign-in tools for a caller with a token", async () => {
    const { tools } = await mcp.client.listTools();

    const names = mcpTools.map(({ name }) => name);
    expect(tools.map(({ name }) => name)).toEqual(names.filter((name) => !name.endsWith("_sign_in")));
    expect(mcp.client.getServerVersion()).toMatchObject({ name: "dropleaf", version: "1" });
    expect(mcp.client.getInstructions()).toContain("list_drops");
  });

  test("publish a page, find it by its tags, and publish its next version at the same URL", {
    tags: "slow",
  }, async () => {
    const html = pageOf("by MCP");
    const metadata = { project: "mcp a=b&c", kind: "report" };

    const published = await mcp.succeed("publish_drop", { html, title: "By MCP", context: "why", metadata });
    const found = await mcp.succeed("list_drops", { metadata, pageSize: 5, sortBy: "updated_at" });
    const { sha256, open_feedback, ...drop } = published as typeof published & {
      readonly sha256: string;
      readonly open_feedback: number;
    };
    const next = await mcp.succeed("update_drop", { slug: drop.slug, html: pageOf("again") });

    expect(sha256).toBe(createHash("sha256").update(html).digest("hex"));
    expect(open_feedback).toBe(0);
    expect(drop).toMatchObject({ title: "By MCP", latest_version: 1, metadata });
    expect(found).toEqual({ drops: [drop], page: 1, page_size: 5, total: 1 });
    expect(await mcp.succeed("list_drops", { metadata: { project: "another" } })).toMatchObject({ total: 0 });
    expect(next).toMatchObject({ slug: drop.slug, url: drop.url, latest_version: 2 });
    expect((await fetchPage(`${drop.raw_url}?v=1`)).text).toContain("by MCP");
    expect((await fetchPage(drop.raw_url)).text).toContain("again");
  });

  test("publish and update a page with the same call if tags identify the page", async () => {
    const page = { title: "By tags", metadata: { project: "upserted", part: "1" } };

    const first = await mcp.succeed("upsert_drop", { ...page, html: pageOf("one") });
    const second = await mcp.succeed("upsert_drop", { ...page, html: pageOf("two") });

    expect(first).toMatchObject({ latest_version: 1, metadata: page.metadata });
    expect(second).toMatchObject({ slug: first.slug, latest_version: 2, metadata: page.metadata });
    await mcp.refuse("upsert_drop", { title: "T", html: "<p>" }, "invalid_arg");
  });

  test("edit, lock, unlock and delete a page", { tags: "slow" }, async () => {
    const { slug, url } = await publish(account.api);

    const edited = await mcp.succeed("edit_drop", { slug, title: "Edited", description: null });
    const locked = await mcp.succeed("lock_drop", { slug, passcode: "open sesame" });
    const unlocked = await mcp.succeed("lock_drop", { slug, passcode: "" });

    expect(edited).toMatchObject({ title: "Edited", latest_version: 1 });
    expect([locked.locked, unlocked.locked]).toEqual([true, false]);
    expect(await mcp.succeed("get_drop", { slug })).toEqual(unlocked);
    await mcp.succeed("delete_drop", { slug });
    expect((await fetchPage(url)).status).toBe(404);
  });

  test("list versions and delete one, but not the last", { tags: "slow" }, async () => {
    const { slug } = await publish(account.api);
    await mcp.succeed("update_drop", { slug, html: pageOf("two"), context: "why" });

    const { versions } = await mcp.succeed("list_versions", { slug });
    await mcp.succeed("delete_version", { slug, version: 2 });

    expect(versions.map(({ version, has_context }) => [version, has_context])).toEqual([
      [2, true],
      [1, false],
    ]);
    await mcp.refuse("delete_version", { slug, version: 1 }, "last_version_cannot_be_deleted");
    await mcp.refuse("delete_version", { slug, version: 2 }, "not_found");
  });

  test("read a page in parts, locked or not, with its context and images", {
    tags: "slow",
  }, async () => {
    const pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const html = `<!doctype html><title>🍃</title><img src="data:image/png;base64,${pixel}"><p>naïve</p>`;
    const { slug } = await mcp.succeed("publish_drop", { title: "Parts", html: "<p>one</p>" });
    await mcp.succeed("update_drop", { slug, html, context: "why" });
    await mcp.succeed("lock_drop", { slug, passcode: "open sesame" });
    const read = async (given: object) => {
      const { content, structuredContent } = await mcp.call("read_drop", { slug, ...given });
      expect(structuredContent).toBeUndefined();
      const [told, ...blocks] = content;
      return { told: JSON.parse(told?.type === "text" ? told.text : ""), blocks };
    };

    let whole = "";
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      // With this limit, the first part would end in the middle of the leaf emoji.
      const { told, blocks } = await read({ offset, limit: 23 });
      whole += blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
      offset = told.next_offset;
    }

    expect(whole).toBe(html);
    expect(await read({ part: "context" })).toMatchObject({
      told: { slug, version: 2, part: "context", total: 3 },
      blocks: [{ text: "why" }],
    });
    expect(await read({ part: "images" })).toMatchObject({
      told: { images: 1, total: 1 },
      blocks: [{ type: "image", mimeType: "image/png", data: pixel }],
    });
    expect(await read({ version: 1 })).toMatchObject({
      told: { version: 1 },
      blocks: [{ text: "<p>one</p>" }],
    });
    expect(await read({ version: 1, part: "context" })).toMatchObject({ told: { total: 0 }, blocks: [] });
    expect(await read({ offset: 1_000 })).toMatchObject({ told: { characters: 0 }, blocks: [] });
    const { message } = await mcp.refuse("read_drop", { slug, version: 3 }, "not_found");
    expect(message).toBe("The drop has no version 3; its latest is 2.");
    await mcp.succeed("delete_drop", { slug });
    await mcp.refuse("read_drop", { slug }, "not_found");
  });

  test("compare versions, and restore an earlier one", { tags: "slow" }, async () => {
    const { slug } = await mcp.succeed("publish_drop", { title: "T", html: "<p>one</p>\n" });
    await mcp.succeed("update_drop", { slug, html: "<p>two</p>\n", note: "counts on" });

    const { content } = await mcp.call("compare_versions", { slug });
    const restored = await mcp.succeed("restore_version", { slug, version: 1, note: "as it was" });
    const same = await mcp.call("compare_versions", { slug, from: 1, to: 3 });

    expect(content).toMatchObject([
      { type: "text", text: expect.stringContaining("-<p>one</p>\n+<p>two</p>") },
    ]);
    expect(restored).toMatchObject({ slug, latest_version: 3 });
    expect(same.content).toEqual([{ type: "text", text: "Nothing differs." }]);
    const { versions } = await mcp.succeed("list_versions", { slug });
    expect(versions).toMatchObject([{ note: "as it was" }, { note: "counts on" }, { version: 1 }]);
    await mcp.refuse("restore_version", { slug, version: 9 }, "not_found");
    await mcp.succeed("delete_drop", { slug });
  });

  test("upload files as text and as base64, and delete them", { tags: "slow" }, async () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);
    const image = { filename: "a.png", content_type: "image/png", base64: bytes.toString("base64") };

    const note = await mcp.succeed("upload_blob", { filename: "a note.txt", text: "naïve 🍃" });
    const picture = await mcp.succeed("upload_blob", image);

    expect(note).toMatchObject({ filename: "a note.txt", content_type: "application/octet-stream" });
    expect((await fetchPage(note.url)).text).toBe("naïve 🍃");
    const served = await fetchPage(picture.url);
    expect([served.headers["content-type"], served.bytes]).toEqual(["image/png", bytes]);
    expect(await mcp.succeed("list_blobs")).toMatchObject({ blobs: [{ id: picture.id }, { id: note.id }] });
    for (const { id, url } of [note, picture]) {
      await mcp.succeed("delete_blob", { id });
      await mcp.refuse("delete_blob", { id }, "not_found");
      expect(url).toContain(id);
    }
  });

  test("publish a page of 500 KB with less than 1 KB of arguments and result", {
    tags: "slow",
  }, async () => {
    const html = `${pageOf("large")}<p>${"x".repeat(500_000)}`;
    const given = { title: "From a file", note: "The first", metadata: { project: "from-a-file" } };

    const started = await mcp.succeed("start_publish", given);
    const sent = await fetchPage(started.url, {
      method: started.method,
      headers: { "content-type": "text/html" },
      body: html,
    });

    expect(sent.status).toBe(201);
    expect(JSON.parse(sent.text)).toMatchObject({
      title: given.title,
      metadata: given.metadata,
      sha256: createHash("sha256").update(html).digest("hex"),
    });
    expect(JSON.stringify([given, started]).length).toBeLessThan(1_000);
    expect(started.command).toContain(started.url);
  });

  test("upload a file in steps", async () => {
    const content = "sent to Amazon S3 itself";
    const { id, url, headers } = await mcp.succeed("start_upload", {
      filename: "large.txt",
      size_bytes: content.length,
    });
    await mcp.refuse("complete_upload", { id }, "invalid_arg");

    const sent = await fetch(url, { method: "PUT", headers, body: content });
    expect(sent.status).toBe(200);
    const blob = await mcp.succeed("complete_upload", { id });

    expect((await fetchPage(blob.url)).text).toBe(content);
    await mcp.succeed("delete_blob", { id });
  });

  test("return the same account and usage as the API", { tags: "slow" }, async () => {
    const me = await mcp.succeed("whoami");

    expect(me).toEqual({ ...(await account.api.succeed("get-me")), token: me.token });
    expect(me.token.label).toBe((await account.api.succeed("get-me")).token.label);
    expect(await mcp.succeed("get_usage")).toEqual(await account.api.succeed("get-usage"));
  });

  test("accept a page of the maximum size, and refuse a larger one", { tags: "slow" }, async () => {
    const start = "<!doctype html><title>Large</title>";
    const html = start + "x".repeat(2_097_152 - start.length);

    const { slug } = await mcp.succeed("publish_drop", { title: "Large", html });

    const { versions } = await mcp.succeed("list_versions", { slug });
    expect(versions[0]?.size_bytes).toBe(2_097_152);
    const refused = await mcp.refuse("update_drop", { slug, html: `${html}x` }, "html_too_large");
    expect(refused.details).toMatchObject({ field: "html", bytes: 2_097_153 });
    await mcp.succeed("delete_drop", { slug });
  });
});

describe.each(revisions)("the official client of revision %s", (revision) => {
  test("lists every tool, publishes, and reads errors", async () => {
    const agent = await connectMcp(account.api.token, revision);

    const { tools } = await agent.client.listTools();
    const drop = await agent.succeed("publish_drop", { title: revision, html: pageOf(revision) });

    expect(tools).toHaveLength(mcpTools.length - 2);
    expect(agent.client.getServerVersion()).toMatchObject({ name: "dropleaf", version: "1" });
    expect(agent.client.getInstructions()).toContain("list_drops");
    expect((await fetchPage(drop.raw_url)).text).toContain(revision);
    await agent.refuse("publish_drop", { html: "<p>" }, "title_required");
    await agent.succeed("delete_drop", { slug: drop.slug });
  });
});

describe("a tool's error", () => {
  const refused: [ToolName, Record<string, unknown>, Parameters<McpClient["refuse"]>[2], string][] = [
    ["publish_drop", { html: "<p>" }, "title_required", "title"],
    ["publish_drop", { title: "T" }, "html_required", "html"],
    ["publish_drop", { title: "T", html: "<p>", metadata: { A: "b" } }, "invalid_arg", '"A"'],
    ["publish_drop", { title: "T", html: "<p>", passcode: "abc" }, "passcode_too_short", "3 characters"],
    ["update_drop", { html: "<p>" }, "invalid_slug", "slug is required"],
    ["update_drop", { slug: { a: 1 }, html: "<p>" }, "invalid_slug", "{"],
    ["update_drop", { slug: "aaaaaaa", html: "<p>" }, "not_found", ""],
    ["edit_drop", { slug: "aaaaaaa", html: "<p>" }, "metadata_only_on_patch", "html"],
    ["get_drop", { slug: "../../x" }, "invalid_slug", "../../x"],
    ["list_drops", { page: 0 }, "invalid_arg", "page"],
    ["read_drop", { slug: "aaaaaaa", offset: -1 }, "invalid_arg", "offset must be an integer from 0"],
    ["read_drop", { slug: "aaaaaaa", limit: 100_001 }, "invalid_arg", "from 1 to 100000"],
    ["read_drop", { slug: "aaaaaaa", part: "css" }, "invalid_arg", '"html", "context", "images"'],
    ["list_drops", { pageSize: [1, 2] }, "invalid_arg", "pageSize"],
    ["list_drops", { sortBy: "title" }, "invalid_arg", "sortBy"],
    ["list_drops", { metadata: "a=b" }, "invalid_arg", "metadata must be an object of strings"],
    ["list_drops", { metadata: { a: 1 } }, "invalid_arg", "metadata.a must be a string"],
    ["list_drops", { metadata: { "a b": "c" } }, "invalid_arg", "a b"],
    ["delete_version", { slug: "aaaaaaa", version: "x" }, "not_found", "x"],
    ["lock_drop", { slug: "aaaaaaa" }, "passcode_required", "passcode"],
    ["upload_blob", { filename: "a.txt" }, "invalid_arg", "neither"],
    ["upload_blob", { filename: "a.txt", text: "a", base64: "YQ==" }, "invalid_arg", "both"],
    ["upload_blob", { filename: "a.txt", text: "" }, "empty_blob", "0"],
    ["upload_blob", { filename: "a/b", text: "a" }, "invalid_filename", "a/b"],
    ["upload_blob", { filename: "a.txt", base64: "no base64!" }, "invalid_arg", "RFC 4648"],
    ["upload_blob", { filename: "a", text: "a", content_type: "a\r\nb: c" }, "invalid_arg", "content_type"],
    ["start_upload", { filename: "a", size_bytes: 26_214_401 }, "blob_too_large", "26214401"],
    ["delete_blob", { id: "x" }, "invalid_id", "x"],
    ["poll_sign_in", {}, "token_required", "token"],
  ];

  test.each(refused)("for %s %j has the code %s and advice", async (name, given, code, words) => {
    const { message, advice } = await mcp.refuse(name, given, code);

    expect(message).toContain(words);
    // The message about an invalid argument already says what to change.
    if (code === "invalid_arg") expect(advice).toBe("");
    else expect(advice).toMatch(/^What to do: .+\.$/);
  });

  test("is the same for another person's objects as for missing ones", { tags: "slow" }, async () => {
    const { slug } = await publish(stranger.api);
    const { id } = await stranger.api.succeed("start-upload", { body: { filename: "a", size_bytes: 1 } });
    const calls: [ToolName, Record<string, unknown>][] = [
      ["get_drop", { slug }],
      ["update_drop", { slug, html: "<p>" }],
      ["edit_drop", { slug, title: "Mine" }],
      ["lock_drop", { slug, passcode: "mine now" }],
      ["list_versions", { slug }],
      ["read_drop", { slug }],
      ["read_drop", { slug, version: 1 }],
      ["compare_versions", { slug }],
      ["restore_version", { slug, version: 1 }],
      ["delete_version", { slug, version: 1 }],
      ["delete_drop", { slug }],
      ["complete_upload", { id }],
    ];

    for (const [name, given] of calls) await mcp.refuse(name, given, "not_found");

    expect(await stranger.api.succeed("get-drop", { params: { slug } })).toMatchObject({ title: "A page" });
    expect(await mcp.succeed("list_drops", { metadata: {}, pageSize: 200 })).not.toMatchObject({
      drops: expect.arrayContaining([expect.objectContaining({ slug })]),
    });
  });

  test("at the write limit contains the seconds to wait, and reads still work", {
    tags: "slow",
  }, async () => {
    const { slug } = await publish(stranger.api);
    const spent = await connectMcp(stranger.api.token);

    const edit = () => spent.call("edit_drop", { slug });
    const results = await pLimit(3).map(Array(limits.writesPerMinutePerToken).keys(), edit);

    expect(results.filter(({ isError }) => isError).length).toBeGreaterThanOrEqual(1);
    const { details } = await spent.refuse("edit_drop", { slug }, "rate_limited");
    expect(details.retry_after_seconds).toBeGreaterThanOrEqual(1);
    expect(await spent.succeed("get_drop", { slug })).toMatchObject({ slug });
  });
});

describe("tool arguments", () => {
  test("may have names that every object inherits, like __proto__", async () => {
    const metadata = JSON.parse('{"__proto__": "a", "constructor": "b"}');

    const { slug } = await mcp.succeed("publish_drop", { title: "T", html: "<p>", metadata });

    const response = await account.api.call("get-drop", { params: { slug } });
    expect(response.text).toContain('"metadata":{"__proto__":"a","constructor":"b"}');
  });

  test("cannot override the token, the host or the method of the API call", async () => {
    const given = { slug: "aaaaaaa", authorization: "Bearer x", host: "elsewhere", n: 1 };

    await mcp.refuse("get_drop", given, "not_found");
    await mcp.refuse("get_drop", { ...given, method: "DELETE" }, "invalid_arg");
  });
});

test("a tool's error is sent with status 200, so that the client can read it", async () => {
  const response = await fetchPage("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${account.api.token}` },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: "one",
      method: "tools/call",
      params: { name: "get_drop", arguments: { slug: "aaaaaaa" } },
    }),
  });

  expect(response.status).toBe(200);
  expect(JSON.parse(response.text)).toMatchObject({ jsonrpc: "2.0", id: "one", result: { isError: true } });
  expect(() => expectErrorShape(response)).toThrow();
});
