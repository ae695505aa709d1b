import { beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { within } from "../support/promised-time.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("versions");
});

describe("PUT /api/drops/{slug}", () => {
  test("makes the new version the latest, and keeps the slug and URLs", async () => {
    const drop = await publish(account.api, { html: pageOf("first") });

    const updated = await putVersion(drop.slug, { html: pageOf("second") });

    expect(updated).toEqual({ ...drop, latest_version: 2, updated_at: updated.updated_at });
    expect(updated.updated_at).toBeGreaterThanOrEqual(drop.updated_at);
    expect(await account.api.succeed("get-drop", { params: { slug: drop.slug } })).toEqual(updated);
  });

  test("serves a new version immediately at its own URL and within 2 seconds at the drop's", async () => {
    const drop = await publish(account.api, { html: pageOf("first") });
    await fetchPage(drop.raw_url);

    await putVersion(drop.slug, { html: pageOf("second") });

    const pinned = await fetchPage(`${drop.raw_url}?v=2`);
    expect(pinned.text).toContain("<p>second</p>");
    await expect
      .poll(async () => (await fetchPage(drop.raw_url)).text, within(2.5))
      .toContain("<p>second</p>");
    expect((await fetchPage(`${drop.raw_url}?v=1`)).text).toContain("<p>first</p>");
  });

  test("changes title, description and metadata, and keeps them if they are absent", async () => {
    const before = { title: "Before", description: "Before", metadata: { a: "1", b: "2" } };
    const after = { title: "After", description: "After", metadata: { c: "3" } };
    const { slug } = await publish(account.api, before);

    const untouched = await putVersion(slug, { html: pageOf("2") });
    const changed = await putVersion(slug, { html: pageOf("3"), ...after });
    const cleared = await putVersion(slug, { html: pageOf("4"), description: null, metadata: {} });

    expect(untouched).toMatchObject({ ...before, latest_version: 2 });
    expect(changed).toMatchObject({ ...after, latest_version: 3 });
    expect(cleared).toMatchObject({ title: "After", description: null, metadata: {}, latest_version: 4 });
    expect(changed.metadata).toEqual(after.metadata);
  });

  test("stores a context for its version only", async () => {
    const { slug } = await publish(account.api, { context: "why the first" });

    await putVersion(slug, { html: pageOf("2") });
    await putVersion(slug, { html: pageOf("3"), context: "why the third" });

    const { versions } = await account.api.succeed("list-versions", { params: { slug } });
    expect(versions.map(({ version, has_context }) => [version, has_context])).toEqual([
      [3, true],
      [2, false],
      [1, true],
    ]);
  });

  test("keeps a locked drop locked", async () => {
    const { slug } = await publish(account.api, { passcode: "abcd" });

    expect(await putVersion(slug, { html: pageOf("2") })).toMatchObject({ locked: true });
  });

  test.each([
    ["no html", { title: "T" }, "html_required"],
    ["html of null", { html: null }, "html_required"],
    ["an empty html", { html: "" }, "html_required"],
    ["html over the limit", { html: "x".repeat(limits.htmlBytesMax + 1) }, "html_too_large"],
    ["a context over the limit", { html: "<p>", context: "x".repeat(65_537) }, "context_too_large"],
    ["a title over the limit", { html: "<p>", title: "x".repeat(201) }, "title_too_long"],
    ["an empty title", { html: "<p>", title: "" }, "title_required"],
    ["a description over the limit", { html: "<p>", description: "x".repeat(501) }, "description_too_long"],
    ["eleven metadata keys", { html: "<p>", metadata: keys(11) }, "invalid_arg"],
  ] as const)("refuses %s, and keeps the drop unchanged", async (_case, body, code) => {
    const drop = await publish(account.api);

    const response = await account.api.call("publish-version", { params: { slug: drop.slug }, body });

    expectError(response, code);
    expect(await account.api.succeed("get-drop", { params: { slug: drop.slug } })).toEqual(drop);
    expect((await fetchPage(`${drop.raw_url}?v=2`)).status).toBe(404);
  });

  test("refuses an empty body with the code invalid_json", async () => {
    const { slug } = await publish(account.api);

    expectError(await account.api.call("publish-version", { params: { slug } }), "invalid_json");
  });
});

describe("a client that looks up a drop by metadata before it publishes", () => {
  test("publishes all versions at one URL", async () => {
    const push = async (html: string) => {
      const found = await account.api.succeed("list-drops", { query: { "metadata.report": "weekly" } });
      const [drop] = found.drops;
      if (drop !== undefined) return putVersion(drop.slug, { html });
      return publish(account.api, { html, metadata: { report: "weekly" } });
    };

    const pushed = [await push(pageOf("1")), await push(pageOf("2")), await push(pageOf("3"))];

    expect(new Set(pushed.map(({ url }) => url)).size).toBe(1);
    expect(pushed.map(({ latest_version }) => latest_version)).toEqual([1, 2, 3]);
  });
});

function putVersion(slug: string, body: Record<string, unknown>) {
  return account.api.succeed("publish-version", { params: { slug }, body });
}

function keys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, ""]));
}
