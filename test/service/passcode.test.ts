import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { within } from "../support/promised-time.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("gate");
});

describe("POST /api/drops/{slug}/passcode", () => {
  test("locks with at least four characters, and unlocks with the empty string", async () => {
    const drop = await publish(account.api);

    const locked = await setPasscode(drop, "abcd");
    const changed = await setPasscode(drop, "🍃🍃🍃🍃");
    const unlocked = await setPasscode(drop, "");

    expect([locked, changed, unlocked].map((response) => response.locked)).toEqual([true, true, false]);
    expect(locked).toEqual({ ...drop, locked: true, updated_at: locked.updated_at });
    expect((await account.api.succeed("get-drop", { params: { slug: drop.slug } })).locked).toBe(false);
  });

  test("accepts an empty passcode for an unlocked drop", async () => {
    const drop = await publish(account.api);

    expect((await setPasscode(drop, "")).locked).toBe(false);
  });

  test.each([
    ["no passcode", {}, "passcode_required"],
    ["a passcode of null", { passcode: null }, "passcode_required"],
    ["three characters", { passcode: "abc" }, "passcode_too_short"],
    ["three characters of two surrogates each", { passcode: "🍃🍃🍃" }, "passcode_too_short"],
    ["a passcode that is not a string", { passcode: 1234 }, "invalid_arg"],
    ["a passcode of more than 1,024 bytes", { passcode: "x".repeat(1025) }, "invalid_arg"],
  ] as const)("refuses %s, and keeps the current passcode", async (_case, body, code) => {
    const drop = await publish(account.api, { passcode: "abcd" });
    const params = { slug: drop.slug };

    expectError(await account.api.call("set-passcode", { params, body }), code);

    expect(await account.api.succeed("get-drop", { params })).toEqual(drop);
  });

  test("returns neither the passcode nor its hash in any response", async () => {
    const drop = await publish(account.api);
    const params = { slug: drop.slug };

    const responses = [
      await account.api.call("set-passcode", { params, body: { passcode: "open sesame" } }),
      await account.api.call("get-drop", { params }),
      await account.api.call("list-drops"),
    ];

    for (const { text } of responses) expect(text).not.toMatch(/sesame|scrypt|passcode/);
  });
});

describe("a locked drop", () => {
  const secrets = {
    html: pageOf("the page's text"),
    title: "The drop's title",
    description: "The drop's words",
  };
  const secretWords = /the page's text|the drop's title|the drop's words|the agent's context/i;

  test("cannot be read without the passcode at any URL, with or without a version", async () => {
    const drop = await publish(account.api, { ...secrets, context: "The agent's context", passcode: "abcd" });

    const responses = await Promise.all(publicAddresses(drop).map((address) => fetchPage(address)));

    for (const { text } of responses) expect(text).not.toMatch(secretWords);
  });

  test("is hidden in every cache within 5 seconds of the lock, and shown again after it is unlocked", {
    tags: "slow",
  }, async () => {
    const drop = await publish(account.api, secrets);
    const addresses = publicAddresses(drop).filter((address) => !address.includes("/context"));
    const shown = () =>
      Promise.all(addresses.map(async (address) => secretWords.test((await fetchPage(address)).text)));
    expect(await shown()).toEqual(addresses.map(() => true));

    await setPasscode(drop, "abcd");

    await expect.poll(shown, within(5)).toEqual(addresses.map(() => false));
    await setPasscode(drop, "");
    await expect.poll(shown, within(5)).toEqual(addresses.map(() => true));
  });

  test("can still be changed by its owner, and stays locked", async () => {
    const drop = await publish(account.api, { passcode: "abcd", title: "Before" });

    const changed = await account.api.succeed("edit-drop", {
      params: { slug: drop.slug },
      body: { title: "After" },
    });

    expect(changed).toMatchObject({ title: "After", locked: true });
  });
});

/** Returns all public URLs of the drop, its raw page and its context, each with and without a version. */
function publicAddresses(drop: DropResponse): string[] {
  const onBase = `${baseUrl()}/p/${drop.slug}`;
  const onOwner = drop.raw_url.replace(/\/raw$/, "");
  const pages = [onBase, onOwner, `${baseUrl()}/d/${drop.slug}`, drop.url];
  const inside = [onBase, onOwner].flatMap((page) => [`${page}/raw`, `${page}/context`]);
  return [...pages, ...inside].flatMap((address) => [address, `${address}?v=1`]);
}

function setPasscode(drop: DropResponse, passcode: string): Promise<DropResponse> {
  return account.api.succeed("set-passcode", { params: { slug: drop.slug }, body: { passcode } });
}
