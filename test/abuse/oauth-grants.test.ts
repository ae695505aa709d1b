// @module-tag slow

import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { findTokenQuota } from "../../functions/identity/token-quota.ts";
import { authorizationRequests, findCode } from "../../functions/oauth/authorization-store.ts";
import { findRefreshToken, grants, type IssuedTokens } from "../../functions/oauth/grant-store.ts";
import { hashSecret, randomBase62 } from "../../functions/table/identifiers.ts";
import { keys } from "../../functions/table/keys.ts";
import { suspendedAttribute } from "../../functions/table/suspension.ts";
import { dynamodb, getItem } from "../../functions/table/table.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { tokens } from "../../functions/table/tokens.ts";
import { newAccount } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { givenAct } from "../support/given-act.ts";
import { decide, discover, registerClient, startAuthorization } from "../support/oauth.ts";
import { newOwner } from "../support/own-pages.ts";
import { race } from "../support/race.ts";
import { givenTokenRows, openStores } from "./given-person.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** The smallest use of a token by a client. */
const byClient = { addressed: "mcp", scope: "read" } as const;
const redirectUri = "http://127.0.0.1:9/callback";

beforeAll(openStores);

describe("validity in time", () => {
  test("an authorization code expires after a minute", async () => {
    const { userId } = await newAccount("oauth-late");
    const { code, nowMs } = await givenCode(userId);

    const outcomes = [await redeemAt(code, nowMs + 60_000), typeof (await redeemAt(code, nowMs + 59_999))];

    expect(outcomes).toEqual(["late", "object"]);
  });

  test("an authorization request expires after ten minutes", async () => {
    const nowMs = Date.now();
    const id = await authorizationRequests.store("client_id=given", nowMs);

    const found = await Promise.all(
      [599_999, 600_000].map((later) => authorizationRequests.find(id, nowMs + later)),
    );

    expect(found).toEqual(["client_id=given", undefined]);
  });

  test("an access token expires after an hour, and its grant after 180 days, renewed or not", async () => {
    const { userId } = await newAccount("oauth-ends");
    const { issued, nowMs } = await givenGrant(userId);
    const use = (token: string, atMs: number) => tokens.authenticate(hashSecret(token), atMs, byClient);

    await use(issued.accessToken, nowMs + 3_599_999);
    await expect(use(issued.accessToken, nowMs + 3_600_000)).rejects.toThrow("refresh token");
    const late = await renewAt(issued, nowMs + 180 * dayMs - 60_000);
    const next = late as IssuedTokens;
    const over = await renewAt(next, nowMs + 180 * dayMs);

    expect(next.expiresInSeconds).toBe(60);
    expect(over).toBe("over");
  });

  test("a renewal based on an outdated read is repeated, and returns the first renewal's tokens", async () => {
    const { userId } = await newAccount("oauth-between");
    const { issued, nowMs } = await givenGrant(userId);
    const unused = await findRefreshToken(issued.refreshToken);
    if (unused === undefined) throw new Error("The given refresh token is not there.");
    const first = await renewAt(issued, nowMs);

    const outcome = await grants.renew(unused, issued.refreshToken, givenAct(nowMs));

    expect(outcome).toBe("raced");
    expect(await renewAt(issued, nowMs)).toEqual(first);
  });

  test("a refresh token returns the same tokens again for 30 seconds", async () => {
    const { userId } = await newAccount("oauth-again");
    const { issued, nowMs } = await givenGrant(userId);

    const first = (await renewAt(issued, nowMs)) as IssuedTokens;
    const again = await renewAt(issued, nowMs + 29_999);

    expect(again).toEqual({ ...first, expiresInSeconds: 3_570 });
    expect(await renewAt(issued, nowMs + 30_000)).toBe("reused");
  });

  test("a used refresh token stops working after the next renewal or when its grant ends", async () => {
    const { userId } = await newAccount("oauth-again-not");
    const [renewed, revoked] = [await givenGrant(userId), await givenGrant(userId)];
    const next = (await renewAt(renewed.issued, renewed.nowMs)) as IssuedTokens;
    await renewAt(next, renewed.nowMs);
    await renewAt(revoked.issued, revoked.nowMs);
    await tokens.revoke(userId, revoked.issued.tokenId, givenAct());

    const again = [renewed, revoked].map(({ issued, nowMs }) => renewAt(issued, nowMs));

    expect(await Promise.all(again)).toEqual(["reused", "over"]);
  });
});

test("a suspended account's grant cannot be renewed until the suspension ends", async () => {
  const { userId } = await newAccount("oauth-suspended");
  const { issued, nowMs } = await givenGrant(userId);
  const mark = (update: string, values?: Record<string, unknown>) =>
    updateItem({ key: keys.account(userId), update, condition: "attribute_exists(pk)", values });

  const used = await givenGrant(userId);
  await renewAt(used.issued, used.nowMs);

  await mark(`SET ${suspendedAttribute} = :now`, { ":now": nowMs });
  const suspended = [await renewAt(issued, nowMs), await renewAt(used.issued, used.nowMs)];
  await mark(`REMOVE ${suspendedAttribute}`);

  expect(suspended).toEqual(["over", "over"]);
  for (const grant of [{ issued, nowMs }, used])
    expect(await renewAt(grant.issued, grant.nowMs)).toMatchObject({ userId });
});

describe("a change to a token during its renewal", () => {
  test.each([
    ["its first write", 0],
    ["another write", 1],
  ])("is not lost: %s is counted", async (_case, spent) => {
    const { userId } = await newAccount("oauth-spent");
    const { issued, nowMs } = await givenGrant(userId);
    const spend = () => tokens.authenticateWrite(hashSecret(issued.accessToken), nowMs, byClient);
    for (let write = 0; write < spent; write += 1) await spend();
    beforeNextTransaction(spend);

    const next = (await renewAt(issued, nowMs)) as IssuedTokens;

    const item = await getItem(keys.token(hashSecret(next.accessToken)));
    expect(item).toMatchObject({ minuteCount: spent + 1, dayCount: spent + 1 });
  });

  test("is not lost: a separately suspended token stays suspended", async () => {
    const { userId } = await newAccount("oauth-marked");
    const { issued, nowMs } = await givenGrant(userId);
    const key = keys.token(hashSecret(issued.accessToken));
    beforeNextTransaction(() =>
      updateItem({
        key,
        update: `SET ${suspendedAttribute} = :now`,
        condition: "attribute_exists(pk)",
        values: { ":now": nowMs },
      }),
    );

    const outcome = await grants.renew(await refreshTokenOf(issued), issued.refreshToken, givenAct(nowMs));

    expect(outcome).toBe("raced");
    expect(await getItem(key)).toMatchObject({ [suspendedAttribute]: nowMs });
  });
});

test("a grant that is renewed and revoked concurrently is revoked", async () => {
  const { userId } = await newAccount("oauth-both");
  // A renewal reads three times before it writes. Different delays make some revocation coincide with the write.
  for (let round = 0; round < 24; round += 1) {
    const { issued, nowMs } = await givenGrant(userId);

    const [renewed] = await Promise.all([
      renewAt(issued, nowMs),
      sleep(round / 2).then(() => tokens.revoke(userId, issued.tokenId, givenAct())),
    ]);

    for (const token of [issued, ...(typeof renewed === "string" ? [] : [renewed])])
      expect(await tokens.authenticate(hashSecret(token.accessToken), nowMs, byClient)).toBeUndefined();
  }
});

test("concurrent clients get no more tokens than the account's limit", async () => {
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

test("a person at the token limit sees an error page, and the client gets no authorization code", async () => {
  const { userId, visitor } = await newOwner("oauth-full");
  await givenTokenRows(userId, limits.tokensPerAccountMax - 1);
  const page = await visitor.open((await startAuthorization(await registerClient(await discover()))).url);

  const { response } = await decide(visitor, page, "allow");

  expectErrorPage(response, 429);
  expect(response.text).toContain(
    `This account has reached the limit of ${limits.tokensPerAccountMax} tokens`,
  );
});

async function givenCode(userId: string) {
  const [nowMs, client] = [
    Date.now(),
    { id: randomBase62(randomInt, 22), name: "Given", redirectUris: [redirectUri] },
  ];
  const id = await authorizationRequests.store("given", nowMs);
  const asked = {
    client,
    redirectUri,
    state: undefined,
    codeChallenge: "a".repeat(43),
    scope: "drops",
  } as const;
  const outcome = await authorizationRequests.allow(id, asked, { userId }, givenAct(nowMs), []);
  const code = typeof outcome === "string" ? undefined : await findCode(outcome.code);
  if (code === undefined) throw new Error("The given request gave no code.");
  return { code, nowMs };
}

type GivenCode = Awaited<ReturnType<typeof givenCode>>["code"];

/** Redeems a code. Returns `full` if the account is at its token limit. */
async function redeemAt(code: GivenCode, atMs: number) {
  const tokenQuota = await findTokenQuota(code.userId, atMs);
  if (tokenQuota === undefined || tokenQuota.isFull) return "full";
  return grants.redeem(code, tokenQuota, givenAct(atMs), randomInt);
}

async function givenGrant(userId: string) {
  const { code, nowMs } = await givenCode(userId);
  const issued = await redeemAt(code, nowMs);
  if (typeof issued === "string") throw new Error(`The given code is ${issued}.`);
  return { issued, nowMs };
}

async function renewAt(issued: IssuedTokens, atMs: number) {
  for (;;) {
    const token = await refreshTokenOf(issued);
    const outcome =
      token.use === undefined
        ? await grants.renew(token, issued.refreshToken, givenAct(atMs))
        : await grants.repeat(token, token.use, issued.refreshToken, atMs);
    if (outcome !== "raced") return outcome;
  }
}

async function refreshTokenOf({ refreshToken }: IssuedTokens) {
  const token = await findRefreshToken(refreshToken);
  if (token === undefined) throw new Error("There is no such refresh token.");
  return token;
}

/** Runs `act` immediately before the next transaction is sent, after its reads. */
function beforeNextTransaction(act: () => Promise<unknown>): void {
  const send = dynamodb.send.bind(dynamodb) as (...sent: unknown[]) => Promise<never>;
  const spy = vi.spyOn(dynamodb, "send").mockImplementation(async (...sent: unknown[]) => {
    if (sent[0] instanceof TransactWriteCommand) {
      spy.mockRestore();
      await act();
    }
    return send(...sent);
  });
}
