import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import type { CallOptions } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { folderFile } from "../support/owner-address.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("as-they-are");
});

/** Characters that JSON escapes, a byte order mark, and two kinds of line ends. */
const html = `\uFEFF<!doctype html>\r\n<title>A "page" &amp; more</title>\n<p>\\ \t \0 🍃</p>\n`;
const asPage = { "content-type": "text/html; charset=utf-8" };

type Query = CallOptions["query"];
type Publishing = "publish-drop" | "publish-version" | "upsert-drop";

const send = (id: Publishing, text: string, options: CallOptions = {}) =>
  account.api.call(id, { text, headers: asPage, ...options });

const sent = (text: string) => createHash("sha256").update(text).digest("hex");

async function published(text: string, query: Query = {}): Promise<DropResponse> {
  const { status, text: answer } = await send("publish-drop", text, { query });
  expect(status).toBe(201);
  return JSON.parse(answer) as DropResponse;
}

describe("an HTML page sent as the request body", () => {
  test("is stored byte for byte, with its digest in the response and its title as the drop's", async () => {
    const drop = await published(html);

    expect(drop).toMatchObject({ title: 'A "page" & more', sha256: sent(html) });
    const { bytes } = await account.api.call("read-html", { params: { slug: drop.slug } });
    expect(bytes.equals(Buffer.from(html))).toBe(true);
  });

  test("takes the fields of the JSON body as query parameters", async () => {
    const drop = await published(html, [
      ["title", "Given"],
      ["description", "What it is"],
      ["note", "The first"],
      ["context", "Why"],
      ["visibility", "people"],
      ["readers", "ada@example.com, grace"],
      ["readers", "@example.org"],
      ["metadata.project", "as-they-are"],
    ]);

    expect(drop).toMatchObject({
      title: "Given",
      description: "What it is",
      visibility: "people",
      readers: ["ada@example.com", "grace", "@example.org"],
      metadata: { project: "as-they-are" },
    });
    const { versions } = await account.api.succeed("list-versions", { params: { slug: drop.slug } });
    expect(versions).toMatchObject([{ note: "The first", has_context: true }]);
  });

  test("can be the next version of a drop, which keeps its title unless another is sent", async () => {
    const drop = await publish(account.api, { title: "Kept" });
    const params = { slug: drop.slug };

    const next = JSON.parse((await send("publish-version", html, { params })).text);
    const renamed = JSON.parse(
      (await send("publish-version", pageOf("three"), { params, query: { title: "Renamed" } })).text,
    );

    expect(next).toMatchObject({ title: "Kept", latest_version: 2, sha256: sent(html) });
    expect(renamed).toMatchObject({ title: "Renamed", latest_version: 3, sha256: sent(pageOf("three")) });
  });

  test("can be published or updated by its tags", async () => {
    const query = { "metadata.branch": "main" };

    const first = await send("upsert-drop", pageOf("one"), { query });
    const second = await send("upsert-drop", pageOf("two"), { query: { ...query, note: "Again" } });

    expect([first.status, second.status]).toEqual([201, 200]);
    expect(JSON.parse(second.text)).toMatchObject({
      slug: JSON.parse(first.text).slug,
      title: "two",
      latest_version: 2,
      metadata: { branch: "main" },
      sha256: sent(pageOf("two")),
    });
  });

  test("can be published by its tags with other parameters in the same query", async () => {
    const query = { "metadata.branch": "described", indexed: "true", feedback: "readers", note: "First" };

    const { status, text } = await send("upsert-drop", pageOf("described"), { query });

    expect({ status, ...JSON.parse(text) }).toMatchObject({
      status: 201,
      indexed: true,
      feedback: "readers",
    });
  });

  test("is accepted from a client that waits for 100-continue", async () => {
    const page = `<title>Long</title>${"x".repeat(1_500_000)}`;

    const { status, text } = await send("publish-drop", page, {
      headers: { ...asPage, expect: "100-continue" },
    });

    expect(status).toBe(201);
    expect(JSON.parse(text)).toMatchObject({ sha256: sent(page) });
  });

  test.each([
    ["no title in the page or the query", "<p>nameless", {}, "title_required", "?title="],
    ["an empty body", "", {}, "html_required", "html"],
    ["a misspelled parameter", html, { titel: "T" }, "invalid_arg", '"titel"'],
    ["a passcode in the query", html, { passcode: "abcd" }, "invalid_arg", "POST /api/drops/{slug}/passcode"],
    ["an unknown visibility", html, { visibility: "private" }, "invalid_arg", '"private"'],
    ["a value of indexed that is not a boolean", html, { indexed: "yes" }, "invalid_arg", '"true", "false"'],
    ["readers for a public page", html, { visibility: "public", readers: "ada" }, "invalid_arg", "readers"],
    ["an invalid metadata key", html, { "metadata.A B": "x" }, "invalid_arg", "A B"],
    ["a note that is too long", html, { note: "x".repeat(201) }, "invalid_arg", "note"],
  ] as const)("is refused with %s, and nothing is published", async (_, text, query, code, words) => {
    const before = (await account.api.succeed("list-drops")).total;

    const refusal = await send("publish-drop", text, { query: query as Query });

    expectError(refusal, code);
    expect(JSON.parse(refusal.text).error.message).toContain(words);
    expect((await account.api.succeed("list-drops")).total).toBe(before);
  });

  test("in another declared charset is published unchanged as a folder", async () => {
    const page = Buffer.from('<meta charset="iso-8859-1"><title>Größe</title><p>für', "latin1");

    const { status, text } = await fetchPage("/api/drops", {
      method: "POST",
      headers: { "content-type": "text/html", authorization: `Bearer ${account.api.token}` },
      body: page,
    });

    expect([status, JSON.parse(text)]).toMatchObject([201, { title: "Größe", files: 1 }]);
    expect(text).not.toContain("warnings");
    const raw = await fetchPage(folderFile(JSON.parse(text).raw_url, ""));
    expect(raw.headers["content-type"]).toBe("text/html; charset=windows-1252");
    expect(raw.bytes.includes(page.subarray(-12))).toBe(true);
  });

  test("in a charset that is neither declared nor UTF-8 is refused", async () => {
    const refusal = await fetchPage("/api/drops", {
      method: "POST",
      headers: { ...asPage, authorization: `Bearer ${account.api.token}` },
      body: Buffer.from("<title>caf\u00e9</title>", "latin1"),
    });

    expectError(refusal, "invalid_arg");
    expect(refusal.text).toContain("not in UTF-8");
  });
});

test("JSON is parsed as JSON, also with other content types", async () => {
  const body = JSON.stringify({ html: pageOf("one"), title: "JSON" });

  for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
    const { text, status } = await account.api.call("publish-drop", {
      text: body,
      headers: { "content-type": type },
    });
    expect(status).toBe(201);
    expect(JSON.parse(text)).toMatchObject({ title: "JSON", sha256: sent(pageOf("one")) });
  }
});
