import { membershipEndedAttribute } from "../identity/accounts.ts";
import { hasTokenQuota, type TokenQuota, tokenCount } from "../identity/token-quota.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { cookieKeys } from "../table/cookie-keys.ts";
import {
  type Audience,
  createTokenId,
  createTokenPlaintext,
  hashSecret,
  type RandomInt,
} from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { windowOf } from "../table/rate-limits.ts";
import { writeRules } from "../table/rate-rules.ts";
import { isNotSuspended, isSuspended } from "../table/suspension.ts";
import { getItem, type Item } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";
import { expiryOf, tokens, tokenTtl } from "../table/tokens.ts";
import { type AuthorizationCode, createSecret } from "./authorization-store.ts";
import type { Client } from "./client.ts";
import { oauthLimits } from "./limits.ts";
import type { SignedToken } from "./signed-token.ts";
import { deriveSuccessor, type TokenPair } from "./successor.ts";

// A grant is a token of its account like any other, whose row has its id: whoever removes the row, the account's person, the
// operator or a deletion, ends the grant with it. What changes is its hash, with each refresh. docs/adr/0053.

/** An access token in plain: it exists in the response that gives it out, and nowhere else. */
export interface AccessToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly userId: string;
  readonly tokenId: string;
}

/** The same, and what renews it. */
export interface IssuedTokens extends AccessToken, TokenPair {}

/** A signed token of another issuer for which a client or a workflow gets a token, and the account that it is of. */
export interface AssertedGrant {
  readonly assertion: Pick<SignedToken, "reference" | "expiresAtMs">;
  readonly audience: Audience;
  readonly client: Pick<Client, "id" | "name">;
  readonly userId: string;
  readonly room: TokenQuota;
}

/** A right to the next access token, as it was given out. */
export interface RefreshToken {
  readonly hash: string;
  readonly userId: string;
  readonly tokenId: string;
  /** `hashSecret` of the client's id. */
  readonly clientHash: string;
  /** @default - it has not been used */
  readonly use?: RefreshTokenUse | undefined;
}

/** The first use of a refresh token. */
export interface RefreshTokenUse {
  readonly atMs: number;
  /** The hash of the access token that it gave. */
  readonly accessTokenHash: string;
}

const msPerDay = 24 * 60 * 60 * 1000;

/** Lifetimes of tokens that nothing renews. */
const lifetimeSeconds: Readonly<Record<Audience, number>> = {
  mcp: oauthLimits.accessTokenSeconds,
  "own-pages": oauthLimits.workflowTokenSeconds,
};

/** Finds a refresh token, used or not. */
export async function findRefreshToken(plaintext: string): Promise<RefreshToken | undefined> {
  const hash = hashSecret(plaintext);
  const item = await getItem(keys.refreshToken(hash));
  return (
    item && {
      hash,
      userId: item.userId as string,
      tokenId: item.tokenId as string,
      clientHash: item.clientHash as string,
      use:
        item.usedAtMs === undefined
          ? undefined
          : { atMs: item.usedAtMs as number, accessTokenHash: item.accessTokenHash as string },
    }
  );
}

/** Finds whose access token it is that a client got here; undefined for every other token. */
export async function findAccessToken(plaintext: string) {
  const item = await getItem(keys.token(hashSecret(plaintext)));
  return item?.audience === undefined
    ? undefined
    : { userId: item.userId as string, tokenId: item.id as string, clientHash: item.clientHash as string };
}

/** Grants: what people have let clients do, each a token with a right to the next. */
export const grants = {
  /**
   * Exchanges a code for its one grant. `late` if it was used already, `raced` if the account has changed: then read it again.
   */
  async redeem(
    code: AuthorizationCode,
    room: TokenQuota,
    act: Act,
    randomInt: RandomInt,
  ): Promise<IssuedTokens | "late" | "raced"> {
    const { userId, clientHash, clientName } = code;
    const tokenId = createTokenId(randomInt);
    const grantExpiresAtMs = grantEnd(act.atMs, act.atMs + oauthLimits.grantDays * msPerDay);
    const end = { grantExpiresAtMs, ttl: tokenTtl(grantExpiresAtMs) };
    const pair = { accessToken: createTokenPlaintext(randomInt), refreshToken: createSecret(randomInt) };
    const grant = { userId, tokenId, clientHash, grantExpiresAtMs };
    const { hash, refresh, issued } = issue(pair, grant, act.atMs);
    const item = {
      ...keys.token(hash),
      id: tokenId,
      userId,
      namespace: room.namespace,
      label: clientName,
      clientHash,
      audience: "mcp",
      createdAtMs: act.atMs,
      lastUsedAtMs: act.atMs,
      expiresAtMs: accessEnd(act.atMs, grantExpiresAtMs),
      ...end,
    };
    const outcome = await transact({
      code: {
        key: keys.authorizationCode(code.hash),
        update: "SET tokenId = :tokenId, #ttl = :ttl",
        condition: "attribute_exists(pk) AND attribute_not_exists(tokenId) AND expiresAtMs > :now",
        names: { "#ttl": "ttl" },
        // As long as the grant: its second use is to be seen.
        values: { ":tokenId": tokenId, ":ttl": end.ttl, ":now": act.atMs },
      },
      token: { put: item, condition: "attribute_not_exists(pk)" },
      row: { put: { ...keys.tokenRow(userId, tokenId), hash, expiresAtMs: grantExpiresAtMs, ttl: end.ttl } },
      refresh,
      account: tokenCount(userId, room),
      line: auditWrite(act, { ownerId: userId, tokenId }),
    });
    if (outcome.committed) return issued;
    return outcome.failed.has("code") ? "late" : "raced";
  },

  /**
   * Gives an access token for a signed token. Nothing renews it: its client gets another from the issuer, which decides again. `used`
   * where the same came before, `raced` where the account is not as it was seen.
   *
   * @param others writes that admit the person and count the token
   */
  async issue(
    { assertion, audience, client, userId, room }: AssertedGrant,
    others: readonly TransactionWrite[],
    act: Act,
    randomInt: RandomInt,
  ): Promise<AccessToken | "used" | "raced"> {
    const tokenId = createTokenId(randomInt);
    const accessToken = createTokenPlaintext(randomInt);
    const hash = hashSecret(accessToken);
    const endMs = act.atMs + lifetimeSeconds[audience] * 1000;
    const expiresAtMs = grantEnd(act.atMs, endMs);
    const ttl = Math.ceil(expiresAtMs / 1000);
    const usedAssertion = keys.usedAssertion(assertion.reference);
    const item = {
      ...keys.token(hash),
      id: tokenId,
      userId,
      namespace: room.namespace,
      label: client.name,
      clientHash: hashSecret(client.id),
      audience,
      createdAtMs: act.atMs,
      lastUsedAtMs: act.atMs,
      expiresAtMs,
      ttl,
    };
    const outcome = await transact({
      assertion: {
        put: { ...usedAssertion, ttl: Math.ceil(assertion.expiresAtMs / 1000) },
        condition: "attribute_not_exists(pk)",
      },
      token: { put: item, condition: "attribute_not_exists(pk)" },
      row: { put: { ...keys.tokenRow(userId, tokenId), hash, expiresAtMs, ttl } },
      others,
      line: auditWrite(act, { ownerId: userId, tokenId }),
    });
    if (!outcome.committed) return outcome.failed.has("assertion") ? "used" : "raced";
    const expiresInSeconds = Math.floor((expiresAtMs - act.atMs) / 1000);
    return { accessToken, expiresInSeconds, userId, tokenId };
  },

  /**
   * Replaces a grant's access token and refresh token. The new access token keeps the spent writes. `over` if the grant is gone
   * or its account may have no tokens; `raced` if something changed since it was read.
   *
   * @param refreshToken the plaintext, from which the new tokens are derived
   */
  async renew(
    { hash: refreshHash, userId, tokenId, clientHash }: RefreshToken,
    refreshToken: string,
    act: Act,
  ): Promise<IssuedTokens | "over" | "raced"> {
    const row = await getItem(keys.tokenRow(userId, tokenId));
    const held = row && (await getItem(keys.token(row.hash as string)));
    const account = await getItem(keys.account(userId));
    if (row === undefined || !mayRenew(account)) return "over";
    // A renewal came in between the reads of the row and of its token.
    if (held === undefined) return "raced";
    const grantExpiresAtMs = grantEnd(held.createdAtMs as number, held.grantExpiresAtMs as number);
    if (grantExpiresAtMs <= act.atMs) return "over";
    const pair = deriveSuccessor(await cookieKeys.signing(), refreshToken);
    const grant = { userId, tokenId, clientHash, grantExpiresAtMs };
    const { hash, refresh, issued } = issue(pair, grant, act.atMs);
    // Another renewal came in before both reads: the row already names the token to give. A transaction may not remove and put one item.
    if (row.hash === hash) return "raced";
    const outcome = await transact([
      {
        key: keys.refreshToken(refreshHash),
        update: "SET usedAtMs = :now, accessTokenHash = :hash",
        condition: "attribute_exists(pk) AND attribute_not_exists(usedAtMs)",
        values: { ":now": act.atMs, ":hash": hash },
      },
      refresh,
      unchangedRemoval(held),
      {
        put: { ...held, ...keys.token(hash), expiresAtMs: accessEnd(act.atMs, grantExpiresAtMs) },
        condition: "attribute_not_exists(pk)",
      },
      {
        key: keys.tokenRow(userId, tokenId),
        update: "SET #hash = :next",
        condition: "#hash = :hash",
        names: { "#hash": "hash" },
        values: { ":hash": row.hash, ":next": hash },
      },
      { check: keys.account(userId), condition: hasTokenQuota },
      auditWrite(act, { ownerId: userId, tokenId }),
    ]);
    return outcome.committed ? issued : "raced";
  },

  /**
   * Returns the same tokens again to a client that refreshed twice at once or lost the response. `reused` if that was too long
   * ago or the new tokens were renewed since; `over` and `raced` as in `renew`.
   *
   * @param refreshToken the plaintext, from which the tokens were derived
   */
  async repeat(
    { userId, tokenId }: RefreshToken,
    { atMs, accessTokenHash }: RefreshTokenUse,
    refreshToken: string,
    nowMs: number,
  ): Promise<IssuedTokens | "over" | "raced" | "reused"> {
    if (atMs + oauthLimits.refreshRepeatSeconds * 1000 <= nowMs) return "reused";
    const pair = await findSuccessor(refreshToken, accessTokenHash);
    const successor = pair && (await findRefreshToken(pair.refreshToken));
    if (successor?.use !== undefined) return "reused";
    const row = await getItem(keys.tokenRow(userId, tokenId));
    const held = await getItem(keys.token(accessTokenHash));
    const account = await getItem(keys.account(userId));
    if (row === undefined || !mayRenew(account)) return "over";
    // Another renewal is coming in, or this function has not read a rotated key yet.
    if (pair === undefined || successor === undefined || held === undefined) return "raced";
    const expiresInSeconds = Math.floor(((held.expiresAtMs as number) - nowMs) / 1000);
    return expiresInSeconds > 0 ? { ...pair, expiresInSeconds, userId, tokenId } : "over";
  },

  /** Ends a grant. Does nothing for an ended one. */
  async end({ userId, tokenId }: Pick<RefreshToken, "userId" | "tokenId">, act: Act): Promise<boolean> {
    return tokens.revoke(userId, tokenId, { ...act, action: "revoke-grant" });
  },
};

/** Derives the tokens again that a refresh token gave; undefined where they were derived by a key that is not known here. */
async function findSuccessor(refreshToken: string, accessTokenHash: string): Promise<TokenPair | undefined> {
  return cookieKeys.find((signingKey) => {
    const pair = deriveSuccessor(signingKey, refreshToken);
    return hashSecret(pair.accessToken) === accessTokenHash ? pair : undefined;
  });
}

interface Grant {
  readonly userId: string;
  readonly tokenId: string;
  readonly clientHash: string;
  readonly grantExpiresAtMs: number;
}

/** The hash of a new access token, the write that stores the refresh token beside it, and what their client gets. */
function issue(pair: TokenPair, { userId, tokenId, clientHash, grantExpiresAtMs }: Grant, nowMs: number) {
  const refresh: TransactionWrite = {
    put: {
      ...keys.refreshToken(hashSecret(pair.refreshToken)),
      userId,
      tokenId,
      clientHash,
      // As long as the grant, used or not.
      ttl: Math.ceil(grantExpiresAtMs / 1000),
    },
    condition: "attribute_not_exists(pk)",
  };
  const expiresInSeconds = Math.floor((accessEnd(nowMs, grantExpiresAtMs) - nowMs) / 1000);
  const issued: IssuedTokens = { ...pair, expiresInSeconds, userId, tokenId };
  return { hash: hashSecret(pair.accessToken), refresh, issued };
}

/** The end of a grant, by what was said when it was made and what the operator says now of tokens. */
function grantEnd(createdAtMs: number, saidMs: number): number {
  return expiryOf({ createdAtMs, expiresAtMs: saidMs }) ?? saidMs;
}

function accessEnd(nowMs: number, grantExpiresAtMs: number): number {
  return Math.min(nowMs + oauthLimits.accessTokenSeconds * 1000, grantExpiresAtMs);
}

/** Checks the account's condition of a renewal before the transaction, which could not say why it failed. */
function mayRenew(account: Item | undefined): boolean {
  if (account === undefined || isSuspended(account)) return false;
  return account.deletingAtMs === undefined && account[membershipEndedAttribute] === undefined;
}

/** The token goes as it was read: a write that it has spent since would be lost. */
function unchangedRemoval(held: Item): TransactionWrite {
  const conditions = [isNotSuspended];
  const values: Record<string, unknown> = {};
  for (const rule of writeRules) {
    const { startedAtMs, count } = windowOf(held, rule);
    for (const [suffix, seen] of [
      ["StartedAtMs", startedAtMs],
      ["Count", count],
    ] as const) {
      const name = `${rule.name}${suffix}`;
      if (seen === undefined) conditions.push(`attribute_not_exists(${name})`);
      else {
        conditions.push(`${name} = :${name}`);
        values[`:${name}`] = seen;
      }
    }
  }
  return {
    remove: { pk: held.pk as string, sk: held.sk as string },
    condition: `attribute_exists(pk) AND ${conditions.join(" AND ")}`,
    ...(Object.keys(values).length === 0 ? {} : { values }),
  };
}
