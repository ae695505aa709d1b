import { beforeEach, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { newOwner } from "../support/own-pages.ts";
import { signInToRead } from "../support/reader.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, Visitor } from "../support/visitor.ts";

test("without the setting, reads are not recorded, and the list reports that", async () => {
  const owner = await newAccount("list-reads");
  const reader = unusedUsername("reads");
  const { slug } = await publish(owner.api, { visibility: "people", readers: [reader] });

  const { response } = await signInToRead(`/p/${slug}/raw`, reader);

  expect(response.status).toBe(200);
  const list = await owner.api.succeed("list-reads", { params: { slug } });
  expect(list).toMatchObject({ reads: [], next_cursor: null, recording: false, readers_this_week: null });
});

describe("the shared_since of a drop", () => {
  let owner: Account;
  let drop: DropResponse;
  const sharedSince = async () =>
    (await owner.api.succeed("list-reads", { params: { slug: drop.slug } })).shared_since;

  beforeEach(async () => {
    owner = await newAccount("shared-since");
    drop = await publish(owner.api, { visibility: "people", readers: ["ada@example.com"] });
  });

  const edit = (body: object) => (params: { slug: string }) =>
    owner.api.succeed("edit-drop", { params, body });
  const lock = (passcode: string) => (params: { slug: string }) =>
    owner.api.succeed("set-passcode", { params, body: { passcode } });

  test.each([
    ["other readers", edit({ readers: ["grace@example.com"] })],
    ["another visibility", edit({ visibility: "members" })],
    ["a passcode", lock("open sesame")],
  ])("is the time of the change to %s", async (_, share) => {
    expect(await sharedSince()).toBe(drop.created_at);

    const { updated_at: updatedAt } = await share({ slug: drop.slug });

    expect(updatedAt).toBeGreaterThan(drop.created_at);
    expect(await sharedSince()).toBe(updatedAt);
  });

  test.each([
    ["another title", edit({ title: "Other" })],
    ["the same readers", edit({ visibility: "people", readers: ["ada@example.com"] })],
    ["an expiry", edit({ expires_in_days: 3 })],
    ["an empty passcode for an unlocked drop", lock("")],
  ])("stays the same after %s", async (_, change) => {
    await change({ slug: drop.slug });

    expect(await sharedSince()).toBe(drop.created_at);
  });

  test("is the time of the undeletion of a deleted drop", async () => {
    const params = { slug: drop.slug };
    await owner.api.succeed("delete-drop", { params });
    const deletedAtMs = Date.now();

    await owner.api.succeed("undelete-drop", { params });

    expect(await sharedSince()).toBeGreaterThanOrEqual(deletedAtMs);
  });

  test("is returned to the owner only: a reader gets the response for a missing drop", async () => {
    const reader = await newAccount("shared-reader");
    await edit({ visibility: "people", readers: [reader.username] })({ slug: drop.slug });

    const [shared, missing] = await Promise.all(
      [drop.slug, "0000000"].map((slug) => reader.api.call("list-reads", { params: { slug } })),
    );

    expect([shared?.status, missing?.status]).toEqual([404, 404]);
    expect(JSON.parse(shared?.text ?? "")).toEqual(JSON.parse(missing?.text ?? ""));
  });
});

test("without the setting, neither the sign-in nor the owner's page mentions the read trail", async () => {
  const owner = await newOwner("list-reads");
  const { slug } = await publish(owner.api, { visibility: "members" });

  const signIn = await new Visitor().open(`/p/${slug}`);
  const own = await owner.visitor.open(`/account/drops/${slug}`);

  expect(signIn.response.text).not.toContain("can see your name");
  expect(elementsOf(own.response, "h2").map(textOf)).not.toContain("Readers");
});

test.each(["2026-11-24", "next", `2026-11-24.${"k".repeat(44)}`, `2026-11-24#${"k".repeat(43)}`])(
  "the invalid cursor %s is refused",
  async (cursor) => {
    const owner = await newAccount("list-reads");
    const { slug } = await publish(owner.api);

    const refused = await owner.api.call("list-reads", { params: { slug }, query: { cursor } });

    expectError(refused, "invalid_arg");
  },
);
