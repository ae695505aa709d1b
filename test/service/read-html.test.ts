import { beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("read-back");
});

/** Content that serving, decoding or compressing could change. */
const html = `\uFEFF<!doctype html>\r\n<title>é\0🍃</title><style>p{}</style><p>${"bytes ".repeat(2_000)}</p>\n\n`;

const read = (slug: string, options: Parameters<Account["api"]["call"]>[1] = {}) =>
  account.api.call("read-html", { params: { slug }, ...options });

describe("GET /api/drops/{slug}/html", () => {
  test("returns the published bytes of the latest version, or of another one by its number", async () => {
    const { slug } = await publish(account.api, { html });
    await account.api.succeed("publish-version", { params: { slug }, body: { html: pageOf("two") } });

    const latest = await read(slug);
    const first = await read(slug, { query: { v: 1 }, headers: { "accept-encoding": "br, gzip" } });

    expect(latest).toMatchObject({ status: 200, text: pageOf("two") });
    expect(first.bytes.equals(Buffer.from(html))).toBe(true);
    expect(first.headers["content-type"]).toBe("text/html; charset=utf-8");
  });

  test("returns the page of a locked drop to its owner without the passcode", async () => {
    const { slug } = await publish(account.api, { html, passcode: "open sesame" });

    expect((await read(slug)).bytes.equals(Buffer.from(html))).toBe(true);
  });

  test("returns a page that cannot run or be framed in a browser", async () => {
    const { slug } = await publish(account.api);

    const { headers } = await read(slug);

    expect(headers["content-security-policy"]).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    expect(headers["cache-control"]).toBe("private, no-cache");
  });

  test("responds with 304 to a cached copy until a new version is published", async () => {
    const { slug } = await publish(account.api);
    const { etag = "" } = (await read(slug)).headers;

    for (const named of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await read(slug, { headers: { "if-none-match": named } });
      expect(again).toMatchObject({ status: 304, text: "" });
      expect(again.headers.etag).toBe(etag);
    }
    expect((await read(slug, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    await account.api.succeed("publish-version", { params: { slug }, body: { html: pageOf("two") } });
    expect((await read(slug, { headers: { "if-none-match": etag } })).status).toBe(200);
    expect((await read(slug, { query: { v: 1 }, headers: { "if-none-match": etag } })).status).toBe(304);
  });

  test("serves a range if If-Range matches the version", async () => {
    const { slug } = await publish(account.api, { html });
    const bytes = Buffer.from(html);
    const { etag = "" } = (await read(slug)).headers;
    const range = "bytes=10-19";

    const part = await read(slug, { headers: { range } });
    const end = await read(slug, { headers: { range: "bytes=-5", "if-range": etag } });
    const other = await read(slug, { headers: { range, "if-range": '"other"' } });
    const several = await read(slug, { headers: { range: "bytes=0-1,4-5" } });

    expect(part).toMatchObject({ status: 206, bytes: bytes.subarray(10, 20) });
    expect(part.headers["content-range"]).toBe(`bytes 10-19/${bytes.byteLength}`);
    expect(end).toMatchObject({ status: 206, bytes: bytes.subarray(-5) });
    expect(other.status).toBe(200);
    expect(several.status).toBe(200);
    const beyond = await read(slug, { headers: { range: "bytes=9999999-" } });
    expect(beyond.status).toBe(416);
    expect(JSON.parse(beyond.text).error).toMatchObject({
      code: "invalid_arg",
      message: expect.stringContaining('"bytes=9999999-"'),
    });
  });

  test("returns 404 for a missing drop, another owner's drop and a missing version", async () => {
    const stranger = await newAccount("read-back-stranger");
    const { slug } = await publish(account.api);

    expectError(await stranger.api.call("read-html", { params: { slug } }), "not_found");
    expectError(await read("zzzzzzz"), "not_found");
    const none = await read(slug, { query: { v: 7 } });
    expectError(none, "not_found");
    expect(none.text).toContain("no version 7; its latest is 1");
    for (const v of ["0", "x", "1.0", ""]) expectError(await read(slug, { query: { v } }), "invalid_arg");
  });
});
