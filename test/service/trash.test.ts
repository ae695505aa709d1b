import { beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { fetchPage } from "../support/http.ts";
import { newOwner, sendForm } from "../support/own-pages.ts";
import { within } from "../support/promised-time.ts";
import { elementsOf, textOf } from "../support/visitor.ts";

const dayMs = 86_400_000;
let account: Account;

beforeAll(async () => {
  account = await newAccount("trash");
});

/** Publishes and deletes a drop, and returns it with the parameters of its calls. */
async function givenTrashed({ api }: Pick<Account, "api"> = account, fields: Record<string, unknown> = {}) {
  const drop = await publish(api, fields);
  await api.succeed("delete-drop", { params: { slug: drop.slug } });
  return { drop, params: { slug: drop.slug } };
}

const slugsOf = async ({ api }: Pick<Account, "api">) =>
  (await api.succeed("list-trash")).drops.map(({ slug }) => slug);

describe("the trash", () => {
  test("lists a deleted drop for seven days, and other calls explain how to undelete it", async () => {
    const { drop, params } = await givenTrashed();

    const { drops } = await account.api.succeed("list-trash");
    const refusals = [
      await account.api.call("get-drop", { params }),
      await account.api.call("edit-drop", { params, body: { expires_at: null } }),
      await account.api.call("publish-version", { params, body: { html: pageOf("two") } }),
      await account.api.call("delete-drop", { params }),
    ];

    const found = drops.find(({ slug }) => slug === drop.slug);
    expect(found).toMatchObject({
      title: drop.title,
      reason: "deleted",
      bytes: Buffer.byteLength(pageOf("one")),
    });
    expect((found?.purged_at ?? 0) - (found?.deleted_at ?? 0)).toBe(7 * dayMs);
    for (const refusal of refusals) {
      expectError(refusal, "not_found");
      expect(refusal.text).toContain(`POST /api/drops/${drop.slug}/undelete`);
    }
    expect((await account.api.succeed("list-drops")).drops.map(({ slug }) => slug)).not.toContain(drop.slug);
  });

  test("returns an undeleted drop with its readers, passcode, versions and expiry unchanged", async () => {
    const people = { visibility: "people", readers: ["ada@example.com"], metadata: { kind: "kept" } };
    const drop = await publish(account.api, { ...people, passcode: "open sesame", expires_in_days: 30 });
    const params = { slug: drop.slug };
    await account.api.succeed("publish-version", { params, body: { html: pageOf("two"), note: "Second" } });
    const before = await account.api.succeed("get-drop", { params });
    await account.api.succeed("delete-drop", { params });

    const restored = await account.api.succeed("undelete-drop", { params });

    expect(restored).toEqual(before);
    expect(await account.api.succeed("get-drop", { params })).toEqual(before);
    expect((await account.api.succeed("list-versions", { params })).versions[0]?.note).toBe("Second");
    expect((await account.api.call("read-html", { params })).text).toBe(pageOf("two"));
    expect(await slugsOf(account)).not.toContain(drop.slug);
  });

  test("makes an undeleted public page readable within 5 seconds, with a new expiry if one is sent", async () => {
    const { drop, params } = await givenTrashed();
    const status = async () => (await fetchPage(drop.raw_url)).status;
    await expect.poll(status, within(5)).toBe(404);

    const restored = await account.api.succeed("undelete-drop", { params, body: { expires_in_days: 2 } });

    expect(Math.abs((restored.expires_at ?? 0) - Date.now() - 2 * dayMs)).toBeLessThan(60_000);
    await expect.poll(status, within(5)).toBe(200);
    expectError(
      await account.api.call("undelete-drop", { params, body: { expires_at: Date.now() } }),
      "invalid_arg",
    );
  });

  test("returns the same drop when it is undeleted again, and 404 for other drops", async () => {
    const { params } = await givenTrashed();
    const stranger = await newAccount("trash-stranger");

    expectError(await stranger.api.call("undelete-drop", { params }), "not_found");
    expectError(await stranger.api.call("purge-drop", { params }), "not_found");
    const first = await account.api.succeed("undelete-drop", { params });
    const second = await account.api.succeed("undelete-drop", { params });

    expect(second).toEqual(first);
    const neither = await account.api.call("undelete-drop", { params: { slug: "aaaaaaa" } });
    expectError(neither, "not_found");
    expect(neither.text).toContain("GET /api/trash");
  });

  test("does not count against the quota of drops, and its drops can be permanently deleted", async () => {
    const owner = await newAccount("trash-purge");
    const { params } = await givenTrashed(owner);
    expect((await owner.api.succeed("get-usage")).drops.used).toBe(0);

    await owner.api.succeed("purge-drop", { params });

    expect(await slugsOf(owner)).toEqual([]);
    expectError(await owner.api.call("undelete-drop", { params }), "not_found");
    expectError(await owner.api.call("purge-drop", { params }), "not_found");
  });

  test("is ignored by an upsert, for which an undeleted drop can then be a second match", async () => {
    const query = { "metadata.trash": "upsert" };
    const upsert = () => account.api.call("upsert-drop", { query, body: { html: pageOf("u"), title: "U" } });
    const first = JSON.parse((await upsert()).text) as { readonly slug: string };
    await account.api.succeed("delete-drop", { params: first });

    const second = await upsert();
    await account.api.succeed("undelete-drop", { params: first });

    expect(second.status).toBe(201);
    expectError(await upsert(), "several_match");
  });
});

test("an owner sees the trash in the browser, undeletes a page and permanently deletes another", async () => {
  const { visitor, ...owner } = await newOwner("trash-page");
  const { drop } = await givenTrashed(owner, { title: "Back again" });
  const { drop: other } = await givenTrashed(owner, { title: "Gone for good" });
  const path = "/account/trash";

  const page = await visitor.open(path);
  const back = await sendForm(visitor, page, `${path}/${drop.slug}/undelete`);
  const refused = await sendForm(visitor, page, `${path}/${other.slug}/purge`);
  const purged = await sendForm(visitor, page, `${path}/${other.slug}/purge`, { confirm: "yes" });

  expect(elementsOf(page.response, "strong").map(textOf)).toEqual(["Gone for good", "Back again"]);
  expect(`${back.url.pathname}${back.url.search}`).toBe(`/account/drops/${drop.slug}?done=undeleted`);
  expect(back.response.text).toContain("to the trash for 7 days");
  expect(refused.response.text).toContain("tick the box");
  expect(purged.response.text).toContain("No deleted or expired pages");
  expect(await slugsOf(owner)).toEqual([]);
});
