import { hasTokenQuota, type TokenQuota, tokenCount } from "../identity/token-quota.ts";
import { membershipEndedAttribute } from "../people/accounts.ts";
import { findTeamRole } from "../people/teams.ts";
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
import { expiryOf, grantScopeOf, tokens, tokenTtl } from "../table/tokens.ts";
import { type AuthorizationCode, createSecret } from "./authorization-store.ts";
import type { Client } from "./client.ts";
import { oauthLimits } from "./limits.ts";
import { defaultScope, type OAuthScope } from "./schemas.ts";
import { includesName, storedScope, tooWide, toTokenScope } from "./scopes.ts";
import type { SignedToken } from "./signed-token.ts";
import { deriveSuccessor, type TokenPair } from "./successor.ts";

// A grant is stored like an account's other tokens, in a `tokenRow` item with the token id as key. The grant ends when the person or
// operator removes this item, or the account is deleted. Each refresh changes the access token's hash in the item; see docs/adr/0053.

/** A new access token with its plaintext, which is never stored. */
export interface AccessToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly userId: string;
  readonly tokenId: string;
  readonly scope: OAuthScope;
}

/** An access token and its refresh token. */
export interface IssuedTokens extends AccessToken, TokenPair {}

/** Another issuer's signed token that a client or workflow exchanges, with the account that gets the access token. */
interface AssertedGrant {
  readonly assertion: Pick<SignedToken, "reference" | "expiresAtMs">;
  readonly audience: Audience;
  readonly client: Pick<Client, "id" | "name">;
  readonly scope: OAuthScope;
  readonly userId: string;
  readonly tokenQuota: TokenQuota;
}

type RefreshToken = NonNullable<Awaited<ReturnType<typeof findRefreshToken>>>;

const msPerDay = 24 * 60 * 60 * 1000;

/** Lifetimes of access tokens that have no refresh token. */
const lifetimeSeconds: Readonly<Record<Audience, number>> = {
  mcp: oauthLimits.accessTokenSeconds,
  "own-pages": oauthLimits.workflowTokenSeconds,
};

/** Finds a refresh token, even if it was already used. */
export async function findRefreshToken(plaintext: string) {
  const hash = hashSecret(plaintext);
  const item = await getItem(keys.refreshToken(hash));
  return (
    item && {
      hash,
      userId: item.userId as string,
      tokenId: item.tokenId as string,
      /** `hashSecret` of the client id. */
      clientHash: item.clientHash as string,
      /** First use of the token, with the hash of the access token that was issued at this use. Undefined if the token was not used. */
      use:
        item.usedAtMs === undefined
          ? undefined
          : { atMs: item.usedAtMs as number, accessTokenHash: item.accessTokenHash as string },
    }
  );
}

/** Finds the grant of an access token. Returns undefined for tokens that were not issued through OAuth. */
export async function findAccessToken(plaintext: string) {
  const item = await getItem(keys.token(hashSecret(plaintext)));
  return item?.audience === undefined
    ? undefined
    : { userId: item.userId as string, tokenId: item.id as string, clientHash: item.clientHash as string };
}

/** Stores grants. A grant is a client's access to a person's account, with an access token and a refresh token. */
export const grants = {
  /** Exchanges a code for a grant. Returns `late` if the code was already used, or `raced` if the account has changed since it was read. */
  async redeem(
    code: AuthorizationCode,
    tokenQuota: TokenQuota,
    act: Act,
    randomInt: RandomInt,
  ): Promise<IssuedTokens | "late" | "raced"> {
    const { userId, personId, clientHash, clientName, scope } = code;
    const tokenScope = storedScope(scope);
    const tokenId = createTokenId(randomInt);
    const grantExpiresAtMs = grantEnd(act.atMs, act.atMs + oauthLimits.grantDays * msPerDay);
    const end = { grantExpiresAtMs, ttl: tokenTtl(grantExpiresAtMs) };
    const pair = { accessToken: createTokenPlaintext(randomInt), refreshToken: createSecret(randomInt) };
    const grant = { userId, tokenId, clientHash, grantExpiresAtMs, scope };
    const { hash, refresh, issued } = issue(pair, grant, act.atMs);
    const item = {
      ...keys.token(hash),
      id: tokenId,
      userId,
      personId,
      namespace: tokenQuota.namespace,
      label: clientName,
      clientHash,
      audience: "mcp",
      tokenScope,
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
        // Keeps the code as long as the grant, so that a second use of the code is detected.
        values: { ":tokenId": tokenId, ":ttl": end.ttl, ":now": act.atMs },
      },
      token: { put: item, condition: "attribute_not_exists(pk)" },
      row: { put: { ...keys.tokenRow(userId, tokenId), hash, expiresAtMs: grantExpiresAtMs, ttl: end.ttl } },
      refresh,
      account: tokenCount(userId, tokenQuota),
      line: auditWrite(act, { ownerId: userId, tokenId, scope: toTokenScope(scope) }),
    });
    if (outcome.committed) return issued;
    return outcome.failed.has("code") ? "late" : "raced";
  },

  /**
   * Issues an access token for another issuer's signed token. Issues no refresh token, so that the issuer decides again about each new
   * access token. Returns `used` if the signed token was used before, or `raced` if the account has changed since it was read.
   *
   * @param others writes of the same transaction, such as those that store the person's identity and count the token
   */
  async issue(
    { assertion, audience, client, userId, tokenQuota, scope }: AssertedGrant,
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
      namespace: tokenQuota.namespace,
      label: client.name,
      clientHash: hashSecret(client.id),
      audience,
      tokenScope: storedScope(scope),
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
      line: auditWrite(act, { ownerId: userId, tokenId, scope: toTokenScope(scope) }),
    });
    if (!outcome.committed) return outcome.failed.has("assertion") ? "used" : "raced";
    const expiresInSeconds = Math.floor((expiresAtMs - act.atMs) / 1000);
    return { accessToken, expiresInSeconds, userId, tokenId, scope };
  },

  /**
   * Replaces a grant's access token and refresh token. The new access token continues the old token's write counts. Returns `over` if the
   * grant has ended or its account may not have tokens. Returns `raced` if the stored data has changed since it was read.
   *
   * @param refreshToken plaintext of the refresh token, from which the new tokens are derived
   * @param asked scope of the new access token. @default - the grant's scope (RFC 6749, section 6)
   * @throws OAuthError `invalid_scope` for a wider scope than the person granted
   */
  async renew(
    { hash: refreshHash, userId, tokenId, clientHash }: RefreshToken,
    refreshToken: string,
    act: Act,
    asked?: OAuthScope,
  ): Promise<IssuedTokens | "over" | "raced"> {
    const row = await getItem(keys.tokenRow(userId, tokenId));
    const current = row && (await getItem(keys.token(row.hash as string)));
    const account = await getItem(keys.account(userId));
    if (row === undefined || !mayRenew(account)) return "over";
    // The access token is missing because another renewal replaced it after the `tokenRow` item was read.
    if (current === undefined) return "raced";
    if (!(await mayActFor(userId, current))) return "over";
    const grantExpiresAtMs = grantEnd(current.createdAtMs as number, current.grantExpiresAtMs as number);
    if (grantExpiresAtMs <= act.atMs) return "over";
    const granted: OAuthScope = grantScopeOf(current) ?? defaultScope;
    if (asked !== undefined && !includesName(granted, asked)) throw tooWide(granted);
    const scope = asked ?? granted;
    const pair = deriveSuccessor(await cookieKeys.signing(), refreshToken);
    const grant = { userId, tokenId, clientHash, grantExpiresAtMs, scope };
    const { hash, refresh, issued } = issue(pair, grant, act.atMs);
    // The `tokenRow` item already has the new token's hash, because another renewal finished before it was read. The transaction below
    // would fail, because it would remove and put the same item.
    if (row.hash === hash) return "raced";
    const outcome = await transact([
      {
        key: keys.refreshToken(refreshHash),
        update: "SET usedAtMs = :now, accessTokenHash = :hash",
        condition: "attribute_exists(pk) AND attribute_not_exists(usedAtMs)",
        values: { ":now": act.atMs, ":hash": hash },
      },
      refresh,
      unchangedRemoval(current),
      {
        put: {
          ...{ ...current, ...keys.token(hash), expiresAtMs: accessEnd(act.atMs, grantExpiresAtMs) },
          tokenScope: storedScope(scope),
          grantScope: scope === granted ? undefined : toTokenScope(granted),
        },
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
      auditWrite(act, { ownerId: userId, tokenId, scope: toTokenScope(scope) }),
    ]);
    return outcome.committed ? issued : "raced";
  },

  /**
   * Returns the same tokens again to a client that sent two concurrent refresh requests or did not receive the response. Returns `reused`
   * if the first use was too long ago, or if the new refresh token was used. Returns `over` and `raced` in the same cases as `renew`.
   *
   * @param refreshToken plaintext of the refresh token, from which the tokens are derived again
   */
  async repeat(
    { userId, tokenId }: RefreshToken,
    { atMs, accessTokenHash }: NonNullable<RefreshToken["use"]>,
    refreshToken: string,
    nowMs: number,
  ): Promise<IssuedTokens | "over" | "raced" | "reused"> {
    if (atMs + oauthLimits.refreshRepeatSeconds * 1000 <= nowMs) return "reused";
    const pair = await findSuccessor(refreshToken, accessTokenHash);
    const successor = pair && (await findRefreshToken(pair.refreshToken));
    if (successor?.use !== undefined) return "reused";
    const row = await getItem(keys.tokenRow(userId, tokenId));
    const current = await getItem(keys.token(accessTokenHash));
    const account = await getItem(keys.account(userId));
    if (row === undefined || !mayRenew(account)) return "over";
    if (current !== undefined && !(await mayActFor(userId, current))) return "over";
    // Retries, because another renewal is in progress or this process has not read a rotated key yet.
    if (pair === undefined || successor === undefined || current === undefined) return "raced";
    const expiresInSeconds = Math.floor(((current.expiresAtMs as number) - nowMs) / 1000);
    const scope = (current.tokenScope ?? defaultScope) as OAuthScope;
    return expiresInSeconds > 0 ? { ...pair, expiresInSeconds, userId, tokenId, scope } : "over";
  },

  /** Ends a grant. Returns false if the grant has already ended. */
  async end({ userId, tokenId }: Pick<RefreshToken, "userId" | "tokenId">, act: Act): Promise<boolean> {
    return tokens.revoke(userId, tokenId, { ...act, action: "revoke-grant" });
  },
};

/** Derives again the tokens that were issued for a refresh token. Returns undefined if their key is unknown. */
async function findSuccessor(refreshToken: string, accessTokenHash: string): Promise<TokenPair | undefined> {
  return cookieKeys.find((signingKey) => {
    const pair = deriveSuccessor(signingKey, refreshToken);
    return hashSecret(pair.accessToken) === accessTokenHash ? pair : undefined;
  });
}

type Grant = Pick<RefreshToken, "userId" | "tokenId" | "clientHash"> & {
  readonly grantExpiresAtMs: number;
  /** Scope of the access token. */
  readonly scope: OAuthScope;
};

/** Returns the hash of a new access token, the write that stores its refresh token, and the tokens for the client. */
function issue(
  pair: TokenPair,
  { userId, tokenId, clientHash, grantExpiresAtMs, scope }: Grant,
  nowMs: number,
) {
  const refresh: TransactionWrite = {
    put: {
      ...keys.refreshToken(hashSecret(pair.refreshToken)),
      userId,
      tokenId,
      clientHash,
      // Keeps the refresh token until the grant ends, so that a second use is detected.
      ttl: Math.ceil(grantExpiresAtMs / 1000),
    },
    condition: "attribute_not_exists(pk)",
  };
  const expiresInSeconds = Math.floor((accessEnd(nowMs, grantExpiresAtMs) - nowMs) / 1000);
  const issued: IssuedTokens = { ...pair, expiresInSeconds, userId, tokenId, scope };
  return { hash: hashSecret(pair.accessToken), refresh, issued };
}

/** Computes when a grant expires: at its stored expiry, or earlier if the operator has shortened the lifetime of tokens. */
function grantEnd(createdAtMs: number, expiresAtMs: number): number {
  return expiryOf({ createdAtMs, expiresAtMs }) ?? expiresAtMs;
}

function accessEnd(nowMs: number, grantExpiresAtMs: number): number {
  return Math.min(nowMs + oauthLimits.accessTokenSeconds * 1000, grantExpiresAtMs);
}

/** Checks whether the person who gave a team's grant may still publish for the team. Returns true for a grant without a stored person. */
export async function mayActFor(userId: string, { personId, createdAtMs }: Item): Promise<boolean> {
  if (personId === undefined) return true;
  const grant = { userId, personId: personId as string, grantedAtMs: createdAtMs as number };
  return (await findTeamRole(grant)).role !== undefined;
}

/** Checks whether the account may have tokens, before the transaction of a renewal, because a failed one does not report the reason. */
function mayRenew(account: Item | undefined): boolean {
  if (account === undefined || isSuspended(account)) return false;
  return account.deletingAtMs === undefined && account[membershipEndedAttribute] === undefined;
}

/** Returns a write that removes a token if its write counts are unchanged, so that concurrently counted writes are not lost. */
function unchangedRemoval(current: Item): TransactionWrite {
  const conditions = [isNotSuspended];
  const values: Record<string, unknown> = {};
  for (const rule of writeRules) {
    const { startedAtMs, count } = windowOf(current, rule);
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
    remove: { pk: current.pk as string, sk: current.sk as string },
    condition: `attribute_exists(pk) AND ${conditions.join(" AND ")}`,
    ...(Object.keys(values).length === 0 ? {} : { values }),
  };
}
