import { beforeAll, describe, expect, test } from "vitest";
import { type Account, anotherToken, newAccount, publish } from "../support/accounts.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("account");
});

describe("GET /api/me", () => {
  test("returns the account of the calling token", async () => {
    const second = await anotherToken(account, "Second");

    const [me, meOfSecond] = await Promise.all([account.api.succeed("get-me"), second.succeed("get-me")]);

    expect(me.user_id).toBe(account.userId);
    expect(meOfSecond.user_id).toBe(account.userId);
    expect(meOfSecond.created_at).toBe(me.created_at);
    expect(meOfSecond.token.id).not.toBe(me.token.id);
    const { tokens } = await account.api.succeed("list-tokens");
    expect(tokens.find(({ id }) => id === me.token.id)?.created_at).toBe(me.token.created_at);
  });

  test("counts published and deleted drops", async () => {
    const count = async () => (await account.api.succeed("get-me")).drop_count;
    const atFirst = await count();
    const drops = [await publish(account.api), await publish(account.api)];
    const afterPublishing = await count();

    for (const { slug } of drops) await account.api.succeed("delete-drop", { params: { slug } });

    expect([atFirst, afterPublishing, await count()]).toEqual([0, 2, 0]);
  });
});

describe("GET /api/me/usage", () => {
  test("counts drops, not versions", async () => {
    const { slug } = await publish(account.api);
    await account.api.succeed("publish-version", { params: { slug }, body: { html: "<p>two" } });

    const { drops } = await account.api.succeed("get-usage");

    expect(drops.used).toBe(1);
  });
});
