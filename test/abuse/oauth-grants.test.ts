import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { findTokenQuota } from "../../functions/accounts/token-quota.ts";
import { authorizationRequests, findCode } from "../../functions/oauth/authorization-store.ts";
import { registeredClients } from "../../functions/oauth/client-store.ts";
import { findRefreshToken, grants, type IssuedTokens } from "../../functions/oauth/grant-store.ts";
import { randomBase62 } from "../../functions/platform/identifiers.ts";
import { keys } from "../../functions/platform/keys.ts";
import { limits } from "../../functions/platform/limits.ts";
import { suspendedAttribute } from "../../functions/platform/suspension.ts";
import { updateItem } from "../../functions/platform/table-writes.ts";
import { hashSecret } from "../../functions/platform/token.ts";
import { tokens } from "../../functions/platform/token-store.ts";
import { newAccount } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { givenAct } from "../support/given-act.ts";
import { decide, discover, registerClient, startAuthorization } from "../support/oauth.ts";
import { newOwner } from "../support/own-pages.ts";
import { race } from "../support/race.ts";
import { givenTokenRows, openStores } from "./given-person.ts";

const dayMs = 24 * 60 * 60 * 1000;
const redirectUri = "http://127.0.0.1:9/callback";

beforeAll(openStores);

describe("in time", () => {
  test("a code is good for a minute", async () => {
    const { userId } = await newAccount("oauth-late");
    const { code, nowMs } = await givenCode(userId);

    const outcomes = [await redeemAt(code, nowMs + 60_000), typeof (await redeemAt(code, nowMs + 59_999))];

    expect(outcomes).toEqual(["late", "object"]);
  });

  test("a request waits ten minutes for its decision", async () => {
    const nowMs = Date.now();
    const id = await authorizationRequests.keep("client_id=given", nowMs);

    const found = await Promise.all(
      [599_999, 600_000].map((later) => authorizationRequests.find(id, nowMs + later)),
    );

    expect(found).toEqual(["client_id=given", undefined]);
  });

  test("an access token is good for an hour, and its grant for 180 days, renewed or not", async () => {
    const { userId } = await newAccount("oauth-ends");
    const { issued, nowMs } = await givenGrant(userId);
    const use = (token: string, atMs: number) => tokens.authenticate(hashSecret(token), atMs, "mcp");

    await use(issued.accessToken, nowMs + 3_599_999);
    await expect(use(issued.accessToken, nowMs + 3_600_000)).rejects.toThrow("refresh token");
    const late = await renewAt(issued, nowMs + 180 * dayMs - 60_000);
    const next = late as IssuedTokens;
    const over = await renewAt(next, nowMs + 180 * dayMs);

    expect(next.expiresInSeconds).toBe(60);
    expect(over).toBe("over");
  });

  test("a client that nobody lets in is forgotten after a week", async () => {
    const [nowMs, id] = [Date.now(), randomBase62(randomInt, 22)];
    await registeredClients.insert({ id, name: null, redirectUris: [redirectUri] }, nowMs);

    const found = await Promise.all(
      [7 * dayMs - 1, 7 * dayMs].map((ms) => registeredClients.find(id, nowMs + ms)),
    );

    expect(found.map((client) => client?.id)).toEqual([id, undefined]);
  });
});

test("a suspended account's grant renews nothing until the suspension is taken back", async () => {
  const { userId } = await newAccount("oauth-suspended");
  const { issued, nowMs } = await givenGrant(userId);
  const mark = (update: string, values?: Record<string, unknown>) =>
    updateItem({ key: keys.account(userId), update, condition: "attribute_exists(pk)", values });

  await mark(`SET ${suspendedAttribute} = :now`, { ":now": nowMs });
  const suspended = await renewAt(issued, nowMs);
  await mark(`REMOVE ${suspendedAttribute}`);

  expect(suspended).toBe("over");
  expect(await renewAt(issued, nowMs)).toMatchObject({ userId });
});

test("a grant that is renewed and revoked at once is over", async () => {
  const { userId } = await newAccount("oauth-both");
  // A renewal reads three times first: the revocation has to come upon its write, whenever that is.
  for (let round = 0; round < 24; round += 1) {
    const { issued, nowMs } = await givenGrant(userId);

    const [renewed] = await Promise.all([
      renewAt(issued, nowMs),
      sleep(round / 2).then(() => tokens.revoke(userId, issued.tokenId, givenAct())),
    ]);

    for (const token of [issued, ...(typeof renewed === "string" ? [] : [renewed])])
      expect(await tokens.authenticate(hashSecret(token.accessToken), nowMs, "mcp")).toBeUndefined();
  }
});

test("many clients at once get no more tokens than an account may have", async () => {
  const { userId, api } = await newAccount("oauth-quota");
  await givenTokenRows(userId, limits.tokensPerAccountMax - 3);
  const codes = await Promise.all(Array.from({ length: 5 }, () => givenCode(userId)));

  await race(5, async () => {
    const { code, nowMs } = codes.pop() as (typeof codes)[number];
    for (let outcome: unknown = "raced"; outcome === "raced"; ) outcome = await redeemAt(code, nowMs);
  });

  expect((await api.succeed("get-me")).token.id).toMatch(/\w/);
  expect((await findTokenQuota(userId, Date.now()))?.isFull).toBe(true);
  expect(codes).toEqual([]);
});

test("who has all their tokens is told so on the page, and the client hears nothing", async () => {
  const { userId, visitor } = await newOwner("oauth-full");
  await givenTokenRows(userId, limits.tokensPerAccountMax - 1);
  const page = await visitor.open((await startAuthorization(await registerClient(await discover()))).url);

  const { response } = await decide(visitor, page, "allow");

  expectErrorPage(response, 429);
  expect(response.text).toContain(`This account has ${limits.tokensPerAccountMax} tokens`);
});

async function givenCode(userId: string) {
  const [nowMs, client] = [
    Date.now(),
    { id: randomBase62(randomInt, 22), name: "Given", redirectUris: [redirectUri] },
  ];
  const id = await authorizationRequests.keep("given", nowMs);
  const asked = { client, redirectUri, state: undefined, codeChallenge: "a".repeat(43) };
  const outcome = await authorizationRequests.allow(id, asked, userId, givenAct(nowMs), []);
  const code = typeof outcome === "string" ? undefined : await findCode(outcome.code);
  if (code === undefined) throw new Error("The given request gave no code.");
  return { code, nowMs };
}

type GivenCode = Awaited<ReturnType<typeof givenCode>>["code"];

/** `full` where the account has no room. */
async function redeemAt(code: GivenCode, atMs: number) {
  const room = await findTokenQuota(code.userId, atMs);
  if (room === undefined || room.isFull) return "full";
  return grants.redeem(code, room, givenAct(atMs), randomInt);
}

async function givenGrant(userId: string) {
  const { code, nowMs } = await givenCode(userId);
  const issued = await redeemAt(code, nowMs);
  if (typeof issued === "string") throw new Error(`The given code is ${issued}.`);
  return { issued, nowMs };
}

async function renewAt({ refreshToken }: IssuedTokens, atMs: number) {
  const token = await findRefreshToken(refreshToken);
  if (token === undefined) throw new Error("There is no such refresh token.");
  for (;;) {
    const outcome = await grants.renew(token, givenAct(atMs), randomInt);
    if (outcome !== "raced") return outcome;
  }
}
