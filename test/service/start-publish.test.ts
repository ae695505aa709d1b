import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse, PublicationStartResponse } from "../../functions/drops/schemas.ts";
import { type Account, anotherToken, newAccount, pageOf, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";

let account: Account;

/** A client that has the upload URL, but no token. */
const sender = new ApiClient();

beforeAll(async () => {
  account = await newAccount("one-page");
});

const start = (body: object = {}, { api } = account): Promise<PublicationStartResponse> =>
  api.succeed("start-publish", { body });

const keyOf = ({ url }: PublicationStartResponse) => new URL(url).searchParams.get("key") ?? "";

const send = (started: PublicationStartResponse, text: string, type = "text/html; charset=utf-8") =>
  sender.call("send-page", { query: { key: keyOf(started) }, text, headers: { "content-type": type } });

const asDrop = ({ text }: { readonly text: string }) => JSON.parse(text) as DropResponse;

describe("an upload URL for one page", () => {
  test("publishes the page without a token and with the announced fields, and includes a command", async () => {
    const fields = {
      title: "Given & taken",
      description: "With, commas",
      note: "The first",
      visibility: "people",
      readers: ["ada@example.com", "@example.org"],
      metadata: { project: "one page", "a.b": "=&" },
    };
    const started = await start(fields);

    const sent = await send(started, pageOf("one"));

    const { note: _, ...shown } = fields;
    expect(sent.status).toBe(201);
    expect(asDrop(sent)).toMatchObject(shown);
    expect(started).toMatchObject({ method: "POST", expires_in: 600 });
    expect(started.command).toContain(`--data-binary @page.html '${started.url}'`);
    expect(JSON.stringify(started).length).toBeLessThan(1_000);
    const { drops } = await account.api.succeed("list-drops", { query: { "metadata.project": "one page" } });
    expect(drops.map(({ slug }) => slug)).toEqual([asDrop(sent).slug]);
  });

  test("can accept Markdown, a drop's next version, or a page identified by its tags", async () => {
    const { slug } = await publish(account.api, { title: "Kept" });
    const metadata = { branch: "main" };

    const version = await send(await start({ slug }), "Only *text*.", "text/markdown");
    const first = await send(await start({ upsert: true, metadata }), pageOf("one"));
    const second = await send(await start({ upsert: true, metadata }), pageOf("two"));

    expect(asDrop(version)).toMatchObject({ slug, title: "Kept", latest_version: 2 });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(asDrop(second)).toMatchObject({ slug: asDrop(first).slug, latest_version: 2, metadata });
  });

  test("accepts only one page, and responds in the same way when that page is sent again", async () => {
    for (const body of [
      {},
      { slug: (await publish(account.api)).slug },
      { upsert: true, metadata: { once: "yes" } },
    ]) {
      const started = await start(body);

      const first = await send(started, pageOf("one"));
      const again = await send(started, pageOf("one"));
      const other = await send(started, pageOf("two"));

      expect(asDrop(again)).toEqual(asDrop(first));
      expectError(other, "not_found");
      expect(other.text).toContain("accepts one");
      const found = await account.api.succeed("get-drop", { params: { slug: asDrop(first).slug } });
      expect(found.latest_version).toBe(asDrop(first).latest_version);
    }
  });

  test("accepts only one of two concurrent pages", async () => {
    const started = await start();

    const sent = await Promise.all(["one", "two"].map((title) => send(started, pageOf(title))));

    expect(sent.map(({ status }) => status).sort()).toEqual([201, 404]);
  });

  test("still accepts a page after a refused one", async () => {
    const started = await start();

    const refused = await send(started, "<p>nameless");
    const json = await send(
      started,
      JSON.stringify({ html: pageOf("one"), title: "JSON" }),
      "application/json",
    );
    const mended = await send(started, pageOf("mended"));

    expectError(refused, "title_required");
    expectError(json, "invalid_arg");
    expect(asDrop(mended).title).toBe("mended");
  });

  test("accepts no page after the token that created it was revoked", async () => {
    const second = await anotherToken(account, "Ended");
    const started: PublicationStartResponse = await second.succeed("start-publish", { body: {} });
    const { token } = await second.succeed("get-me");

    await account.api.succeed("revoke-token", { params: { id: token.id } });

    const refusal = await send(started, pageOf("one"));
    expectError(refusal, "not_found");
    expect(refusal.text).toContain("no longer valid");
  });

  test("accepts no page if it is unknown or for another account's drop", async () => {
    const { slug } = await publish(account.api);
    const stranger = await newAccount("one-page-stranger");
    const started = await start({ slug }, stranger);

    const unknown = await sender.call("send-page", {
      query: { key: "q".repeat(43) },
      text: pageOf("one"),
      headers: { "content-type": "text/html" },
    });

    expectError(unknown, "not_found");
    expectError(await send(started, pageOf("one")), "not_found");
    expect((await account.api.succeed("get-drop", { params: { slug } })).latest_version).toBe(1);
  });

  test.each([
    ["a drop and its tags", { slug: "aaaaaaa", upsert: true, metadata: { a: "b" } }, "upsert"],
    ["an upsert without tags", { upsert: true, metadata: {} }, "metadata"],
    ["readers for a public page", { visibility: "public", readers: ["ada"] }, "readers"],
    ["an invalid slug", { slug: "a" }, "slug"],
    ["a title that is too long", { title: "x".repeat(201) }, "title"],
  ])("is not issued for %s", async (_, body, words) => {
    const refusal = await account.api.call("start-publish", { body });

    expect(refusal.status).toBe(400);
    expect(refusal.text).toContain(words);
  });
});
