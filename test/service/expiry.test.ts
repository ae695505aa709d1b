import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";

const dayMs = 86_400_000;
let account: Account;

beforeAll(async () => {
  account = await newAccount("expiry");
});

const inDays = (days: number) => Date.now() + days * dayMs;

function expectExpiry({ expires_at }: DropResponse, atMs: number): void {
  expect(Math.abs((expires_at ?? 0) - atMs)).toBeLessThan(30_000);
}

describe("the expiry of a drop", () => {
  test("is null by default, and is returned with the drop in every response and list, but not with versions", async () => {
    const never = await publish(account.api);
    const soon = await publish(account.api, { expires_in_days: 3, metadata: { kind: "soon" } });
    const params = { slug: soon.slug };

    expect(never.expires_at).toBeNull();
    expectExpiry(soon, inDays(3));
    const { drops } = await account.api.succeed("list-drops", { query: { "metadata.kind": "soon" } });
    expect(drops.map(({ expires_at }) => expires_at)).toEqual([soon.expires_at]);
    expect((await account.api.succeed("get-drop", { params })).expires_at).toBe(soon.expires_at);
    expect(JSON.stringify(await account.api.succeed("list-versions", { params }))).not.toContain("expires");
  });

  test("is set by a version, an edit and an upsert, and is unchanged by a call without it", async () => {
    const at = inDays(7);
    const drop = await publish(account.api, { expires_at: at, metadata: { kind: "stays" } });
    const params = { slug: drop.slug };
    const edit = (body: object) => account.api.succeed("edit-drop", { params, body });
    const version = (fields: object) =>
      account.api.succeed("publish-version", { params, body: { html: pageOf("two"), ...fields } });
    const upsert = (fields: object) =>
      account.api.succeed("upsert-drop", {
        query: { "metadata.kind": "stays" },
        body: { html: pageOf("three"), title: "T", ...fields },
      });

    expect(drop.expires_at).toBe(at);
    expect([(await edit({ title: "T" })).expires_at, (await version({})).expires_at]).toEqual([at, at]);
    expect((await edit({ expires_at: null })).expires_at).toBeNull();
    expectExpiry(await version({ expires_in_days: 1 }), inDays(1));
    expect((await upsert({ expires_at: at })).expires_at).toBe(at);
    expect((await upsert({ expires_in_days: null })).expires_at).toBeNull();
  });

  test("is a query parameter if the page is the body, and is kept for a page that is sent later", async () => {
    const headers = { "content-type": "text/html" };
    const asBody = (query: Record<string, string>) =>
      account.api.succeed("publish-drop", { query, text: pageOf("four"), headers });
    const started = await account.api.succeed("start-publish", { body: { expires_in_days: 5 } });
    const sent = await fetchPage(started.url, { method: "POST", headers, body: pageOf("five") });

    expectExpiry(await asBody({ expires_in_days: "2" }), inDays(2));
    expect((await asBody({ expires_at: "null" })).expires_at).toBeNull();
    expectExpiry(JSON.parse(sent.text) as DropResponse, inDays(5));
  });

  test("is at least a minute and at most 3,650 days ahead: other values are refused and publish nothing", async () => {
    const other = await newAccount("expiry");
    const refuse = async (fields: object, words: RegExp) => {
      const response = await other.api.call("publish-drop", {
        body: { html: pageOf("six"), title: "T", ...fields },
      });
      expectError(response, "invalid_arg");
      expect(JSON.parse(response.text).error.message).toMatch(words);
    };

    await refuse({ expires_at: Date.now() + 30_000 }, /at least a minute later than now/);
    await refuse({ expires_at: inDays(3_651) }, /3650 days ahead/);
    await refuse({ expires_at: Math.floor(inDays(1) / 1000) }, /looks like seconds\. Send \d{13}\./);
    await refuse({ expires_at: "2099-01-01T00:00:00Z" }, /milliseconds.*: send 4070908800000/);
    await refuse({ expires_in_days: 0 }, /from 1 to 3650/);
    await refuse({ expires_in_days: 1.5 }, /whole number/);
    await refuse({ expires_in_days: 2, expires_at: inDays(3) }, /not both/);

    expect((await other.api.succeed("list-drops")).total).toBe(0);
  });

  test("limits how long the edge caches a pinned page, and oEmbed's cache_age", async () => {
    const { raw_url, url } = await publish(account.api, { expires_at: Date.now() + 600_000 });
    const endless = await publish(account.api);
    const edgeSeconds = async (address: string) =>
      Number(/s-maxage=(\d+)/.exec((await fetchPage(address)).headers["cache-control"] ?? "")?.[1]);
    const { cache_age } = await account.api.succeed("read-oembed", { query: { url } });

    expect(await edgeSeconds(`${raw_url}?v=1`)).toBeLessThanOrEqual(600);
    expect(await edgeSeconds(`${endless.raw_url}?v=1`)).toBe(14_400);
    expect(cache_age).toBeLessThanOrEqual(600);
  });
});

describe("the expiry of a file", () => {
  const headers = { "content-type": "image/png" };
  const upload = (query: Record<string, string>) =>
    account.api.call("upload-blob", { query: { filename: "a.png", ...query }, text: "bytes", headers });

  test("is set by an upload, an upload in steps and an edit, which can also remove it", async () => {
    const blob = JSON.parse((await upload({ expires_in_days: "3" })).text);
    const params = { id: blob.id };
    const edit = (body: object) => account.api.succeed("edit-blob", { params, body });
    const body = { filename: "a.png", size_bytes: 5, expires_in_days: 2 };
    const started = await account.api.succeed("start-upload", { body });
    await fetch(started.url, { method: started.method, headers: started.headers, body: "bytes" });
    const completed = await account.api.succeed("complete-upload", { params: { id: started.id } });

    expectExpiry(blob, inDays(3));
    expectExpiry(completed as never, inDays(2));
    expect((await account.api.succeed("get-blob", { params })).expires_at).toBe(blob.expires_at);
    expect((await edit({ visibility: "unlisted" })).expires_at).toBe(blob.expires_at);
    expect((await edit({ expires_at: null })).expires_at).toBeUndefined();
    expectExpiry((await edit({ expires_in_days: 1 })) as never, inDays(1));
    expect(
      (await account.api.succeed("list-blobs")).blobs.map(({ expires_at }) => typeof expires_at),
    ).toEqual(["number", "number"]);
  });

  test("removes validators, with which a browser could keep using its copy", async () => {
    const kept = await fetchPage(JSON.parse((await upload({})).text).url);
    const ends = await fetchPage(JSON.parse((await upload({ expires_in_days: "1" })).text).url);

    expect([kept.status, ends.status, ends.text]).toEqual([200, 200, "bytes"]);
    expect(kept.headers.etag).toBeDefined();
    expect([ends.headers.etag, ends.headers["last-modified"], ends.headers["x-amz-meta-expires-at"]]).toEqual(
      [undefined, undefined, undefined],
    );
  });

  test.each([
    [{ expires_in_days: "0" }, "expires_in_days must be a whole number from 1 to 3650"],
    [{ expires_at: "2027-01-01" }, '"2027-01-01": send 1798761600000'],
    [{ expires_at: "1796083200" }, "looks like seconds"],
  ])("is refused for %j, with the right form", async (query, message) => {
    expect(expectError(await upload(query as never), "invalid_arg").message).toContain(message);
  });
});
