import { beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("restores");
});

async function givenTwoVersions() {
  const drop = await publish(account.api, { html: pageOf("one"), context: "Why one." });
  const params = { slug: drop.slug };
  await account.api.succeed("publish-version", { params, body: { html: pageOf("two") } });
  return { drop, params };
}

describe("POST /api/drops/{slug}/restore", () => {
  test("publishes an earlier version with its context as the newest, and keeps the history", async () => {
    const { drop, params } = await givenTwoVersions();

    const restored = await account.api.succeed("restore-version", { params, body: { version: 1 } });

    expect(restored).toMatchObject({ slug: drop.slug, url: drop.url, title: drop.title, latest_version: 3 });
    const { versions } = await account.api.succeed("list-versions", { params });
    expect(versions.map(({ version, has_context }) => [version, has_context])).toEqual([
      [3, true],
      [2, false],
      [1, true],
    ]);
    expect((await account.api.call("read-html", { params })).text).toBe(pageOf("one"));
    expect((await fetchPage(drop.raw_url)).text).toContain("<p>one</p>");
    expect((await fetchPage(drop.raw_url.replace(/raw$/, "context"))).text).toBe("Why one.");
  });

  test("creates a copy, which remains when the restored version is deleted", async () => {
    const { params } = await givenTwoVersions();
    await account.api.succeed("restore-version", { params, body: { version: 1 } });

    await account.api.succeed("delete-version", { params: { ...params, n: 1 } });

    expect((await account.api.call("read-html", { params })).text).toBe(pageOf("one"));
  });

  test("is refused if the drop has changed since the revision in If-Match", async () => {
    const { params } = await givenTwoVersions();
    const { etag = "" } = (await account.api.call("get-drop", { params })).headers;

    const restore = () =>
      account.api.call("restore-version", { params, body: { version: 1 }, headers: { "if-match": etag } });

    expect((await restore()).status).toBe(200);
    expectError(await restore(), "precondition_failed");
    expect((await account.api.succeed("get-drop", { params })).latest_version).toBe(3);
  });

  test.each([
    [{ version: 9 }, "not_found", "no version 9; its latest is 2"],
    [{ version: 0 }, "invalid_arg", "version"],
    [{ version: "1" }, "invalid_arg", "version"],
    [{}, "invalid_arg", "version"],
  ] as const)("refuses %j, and restores nothing", async (body, code, words) => {
    const { params } = await givenTwoVersions();

    const refusal = await account.api.call("restore-version", { params, body });

    expectError(refusal, code);
    expect(refusal.text).toContain(words);
    expect((await account.api.succeed("get-drop", { params })).latest_version).toBe(2);
  });

  test("returns 404 for another owner's drop", async () => {
    const stranger = await newAccount("restores-stranger");
    const { params } = await givenTwoVersions();

    expectError(await stranger.api.call("restore-version", { params, body: { version: 1 } }), "not_found");
  });
});
