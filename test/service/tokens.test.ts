import { beforeAll, describe, expect, test } from "vitest";
import { type Account, anotherToken, newAccount, pageOf } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { expectError } from "../support/expect-error.ts";

let owner: Account;
let stranger: Account;

beforeAll(async () => {
  [owner, stranger] = await Promise.all([newAccount("tokens"), newAccount("tokens-stranger")]);
});

describe("GET /api/tokens", () => {
  test("lists only the caller's tokens, with their labels", async () => {
    const second = await anotherToken(owner, "The second agent");
    const own = await Promise.all([owner.api, second].map((api) => api.succeed("get-me")));

    const { tokens } = await owner.api.succeed("list-tokens");

    const ids = tokens.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(own.map(({ token }) => token.id)));
    expect(ids).not.toContain((await stranger.api.succeed("get-me")).token.id);
    expect(tokens.find(({ id }) => id === own[1]?.token.id)?.label).toBe("The second agent");
    expect(tokens.find(({ id }) => id === own[0]?.token.id)?.label).toBeNull();
  });

  test("returns neither tokens nor their hashes", async () => {
    const response = await owner.api.call("list-tokens");

    expect(response.text).not.toContain("hb_");
    expect(response.text).not.toContain(owner.api.token?.slice(3));
    expect(response.text).not.toMatch(/[0-9a-f]{64}/);
  });

  test("returns an increasing last_used_at and an unchanged created_at", async () => {
    const before = (await owner.api.succeed("get-me")).token;
    await new Promise((resolve) => setTimeout(resolve, 5));

    await owner.api.succeed("list-drops");
    await owner.api.succeed("list-drops");

    const { tokens } = await (await anotherToken(owner)).succeed("list-tokens");
    const after = tokens.find(({ id }) => id === before.id);
    expect(after?.created_at).toBe(before.created_at);
    expect(after?.last_used_at).toBeGreaterThanOrEqual(before.last_used_at);
    expect(after?.last_used_at).toBeLessThanOrEqual(Date.now() + 1000);
  });
});

describe("DELETE /api/tokens/{id}", () => {
  test("revokes the token immediately, and removes it from the list", async () => {
    const revoked = await anotherToken(owner);
    const { token } = await revoked.succeed("get-me");

    await owner.api.succeed("revoke-token", { params: { id: token.id } });

    expectError(await revoked.call("get-me"), "unauthorized");
    expectError(
      await revoked.call("publish-drop", { body: { html: pageOf("no"), title: "No" } }),
      "unauthorized",
    );
    const { tokens } = await owner.api.succeed("list-tokens");
    expect(tokens.map(({ id }) => id)).not.toContain(token.id);
    expect((await owner.api.succeed("list-drops")).total).toBe(0);
  });

  test("keeps the person's other tokens", async () => {
    const [kept, revoked] = [await anotherToken(owner), await anotherToken(owner)];
    const { token } = await revoked.succeed("get-me");

    await kept.succeed("revoke-token", { params: { id: token.id } });

    expect((await kept.succeed("get-me")).user_id).toBe(owner.userId);
  });

  test("can revoke the token of the request itself", async () => {
    const api = await anotherToken(owner);
    const { token } = await api.succeed("get-me");

    await api.succeed("revoke-token", { params: { id: token.id } });

    expectError(await api.call("get-me"), "unauthorized");
  });

  test("returns not_found for a revoked token", async () => {
    const api = await anotherToken(owner);
    const { token } = await api.succeed("get-me");
    await owner.api.succeed("revoke-token", { params: { id: token.id } });

    expectError(await owner.api.call("revoke-token", { params: { id: token.id } }), "not_found");
  });

  test("returns not_found for another person's token, which keeps working", async () => {
    const { token } = await stranger.api.succeed("get-me");

    const response = await owner.api.call("revoke-token", { params: { id: token.id } });

    expectError(response, "not_found");
    expect((await stranger.api.succeed("get-me")).user_id).toBe(stranger.userId);
  });

  test.each(["nothing", "a".repeat(300), "a".repeat(1_100), "a".repeat(5_000), "a b", "%", "PROFILE", "ü"])(
    "returns not_found for an unknown id (case %$)",
    async (id) => {
      expectError(await owner.api.call("revoke-token", { params: { id } }), "not_found");
    },
  );

  test("succeeds for only one of two concurrent revocations", async () => {
    const api = await anotherToken(owner);
    const { token } = await api.succeed("get-me");
    const revoke = () => owner.api.call("revoke-token", { params: { id: token.id } });

    const responses = await Promise.all([revoke(), revoke()]);

    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  });
});

describe("a bearer token", () => {
  test("is refused if one character is mistyped", async () => {
    const token = owner.api.token ?? "";
    const mistyped = [4, 20, token.length - 1].map((at) => {
      const other = token[at] === "a" ? "b" : "a";
      return token.slice(0, at) + other + token.slice(at + 1);
    });

    const responses = await Promise.all(mistyped.map((wrong) => new ApiClient(wrong).call("get-me")));

    for (const response of responses) expectError(response, "unauthorized");
  });

  test("is accepted whatever the case of its scheme (RFC 9110, section 11.1)", async () => {
    const response = await new ApiClient().call("get-me", {
      headers: { authorization: `bearer ${owner.api.token}` },
    });

    expect(response.status).toBe(200);
  });

  test("is not accepted in the query, which is logged", async () => {
    const query = { access_token: owner.api.token ?? "", token: owner.api.token ?? "" };

    expectError(await new ApiClient().call("get-me", { query }), "unauthorized");
  });
});
