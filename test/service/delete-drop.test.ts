import { beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { within } from "../support/promised-time.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("delete");
});

describe("DELETE /api/drops/{slug}", () => {
  test("removes the drop from every operation of the API immediately", async () => {
    const { slug } = await publish(account.api);
    const params = { slug, n: 1 };

    await account.api.succeed("delete-drop", { params });

    const body = { html: pageOf("x") };
    expectError(await account.api.call("get-drop", { params }), "not_found");
    expectError(await account.api.call("publish-version", { params, body }), "not_found");
    expectError(await account.api.call("edit-drop", { params, body: { title: "T" } }), "not_found");
    expectError(await account.api.call("edit-drop", { params, body: {} }), "not_found");
    expectError(await account.api.call("set-passcode", { params, body: { passcode: "abcd" } }), "not_found");
    expectError(await account.api.call("list-versions", { params }), "not_found");
    expectError(await account.api.call("get-version", { params }), "not_found");
    expectError(await account.api.call("delete-version", { params }), "not_found");
    expectError(await account.api.call("delete-drop", { params }), "not_found");
    expect((await account.api.succeed("list-drops")).drops.map((drop) => drop.slug)).not.toContain(slug);
  });

  test("removes the drop's pages within 5 seconds, including pinned and cached ones", async () => {
    const drop = await publish(account.api, { html: pageOf("soon gone"), context: "soon gone" });
    const addresses = [
      drop.url,
      drop.raw_url,
      `${drop.raw_url}?v=1`,
      `${baseUrl()}/p/${drop.slug}`,
      `${baseUrl()}/p/${drop.slug}/raw?v=1`,
      drop.raw_url.replace("/raw", "/context"),
    ];
    for (const address of addresses) expect((await fetchPage(address)).status).toBe(200);

    await account.api.succeed("delete-drop", { params: { slug: drop.slug } });

    const statuses = () => Promise.all(addresses.map(async (address) => (await fetchPage(address)).status));
    await expect.poll(statuses, within(5)).toEqual(addresses.map(() => 404));
    expectErrorPage(await fetchPage(drop.url, { headers: { accept: "text/html" } }), 404);
  });

  test("keeps the account's other drops", async () => {
    const [kept, deleted] = [await publish(account.api), await publish(account.api)];

    await account.api.succeed("delete-drop", { params: { slug: deleted.slug } });

    expect(await account.api.succeed("get-drop", { params: { slug: kept.slug } })).toEqual(kept);
  });
});
