import { environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError, inBothWords } from "../core/errors.ts";
import type { Act } from "./audit.ts";
import { auditWrite } from "./audit-trail.ts";
import type { Audience, Token, TokenScope } from "./identifiers.ts";
import { keys, ranges } from "./keys.ts";
import { refundRate, spendRate, windowStarts } from "./rate-limits.ts";
import { minuteRules, type RateRule, writeRules } from "./rate-rules.ts";
import { accountSuspended, isNotSuspended, isSuspended } from "./suspension.ts";
import { getItem, getItems, type Item, queryAll, RetryableError, retryConflicts } from "./table.ts";
import { type TransactionWrite, transact, updateItem } from "./table-writes.ts";
import { hasScope, includesScope, requireScope } from "./token-scope.ts";

const msPerDay = 24 * 60 * 60 * 1000;

/** Time for which expired tokens stay stored, so that the error can say how to get a new token. */
const keptAfterExpirySeconds = 30 * 24 * 60 * 60;

/** Returns the maximum lifetime of a token in days. Returns undefined if tokens are valid until they are revoked. */
export function tokenDaysMax(): number | undefined {
  const days = findEnvironment(environmentNames.tokenDaysMax);
  return days === undefined ? undefined : Number(days);
}

/** Returns the time at which a token expires: the expiry set at creation or the operator's current limit, whichever is sooner. */
export function expiryOf({
  createdAtMs,
  expiresAtMs,
}: Pick<Token, "createdAtMs" | "expiresAtMs">): number | undefined {
  const days = tokenDaysMax();
  const ends = [expiresAtMs, days === undefined ? undefined : createdAtMs + days * msPerDay];
  const set = ends.filter((end) => end !== undefined);
  return set.length === 0 ? undefined : Math.min(...set);
}

/** Returns the time from which DynamoDB may remove the items of a token, in Unix seconds. Returns undefined for a token without expiry. */
export function tokenTtl(expiresAtMs: number | undefined): number | undefined {
  return expiresAtMs === undefined ? undefined : Math.ceil(expiresAtMs / 1000) + keptAfterExpirySeconds;
}

/** Returns the condition that a token has not expired, for an update. */
function notExpired(nowMs: number): { condition: string; values: Record<string, number> } {
  const days = tokenDaysMax();
  return {
    condition: `(attribute_not_exists(expiresAtMs) OR expiresAtMs > :atMs)${days === undefined ? "" : " AND createdAtMs > :oldestMs"}`,
    values: { ":atMs": nowMs, ...(days === undefined ? {} : { ":oldestMs": nowMs - days * msPerDay }) },
  };
}

/** Creates the error for an expired token. The message says how to get a new token. */
function tokenExpired(expiredAtMs: number, audience: Audience | undefined): ApiError {
  const details = { reason: "token_expired", expired_at: expiredAtMs };
  if (audience !== undefined) {
    const by =
      audience === "mcp"
        ? "The client can get a new one with its refresh token"
        : "Get a new one with a new ID token";
    const message = `This access token expired on ${new Date(expiredAtMs).toISOString()}. ${by} at /oauth/token.`;
    return new ApiError("unauthorized", { message, details });
  }
  const days = tokenDaysMax();
  const rule =
    days === undefined
      ? ""
      : ` Tokens of this service are valid for ${days === 1 ? "a day" : `${days} days`}.`;
  return new ApiError("unauthorized", {
    message: inBothWords(
      (call) =>
        `This token expired on ${new Date(expiredAtMs).toISOString()}.${rule} To get a new one, sign in again: ${signInBy(call)}.`,
    ),
    details,
  });
}

/** A token with the namespace of its account, so that calls can build URLs without reading the account. */
export interface Caller {
  readonly token: Token;
  readonly userId: string;
  readonly namespace: string;
  /** Expiry of the token or, if a client may renew the token, of the client's grant. @default - the token is valid until it is revoked */
  readonly endsAtMs?: number | undefined;
  /**
   * Start times of the windows that counted the write of this call, by rule name.
   *
   * @default - no write was counted, or the write cannot be refunded
   */
  readonly writeWindowsOpenedAtMs?: Readonly<Record<string, number>> | undefined;
}

/** Interface that is called with a token. `own-pages` is the part of the API that workflow tokens may also call. */
export type Addressed = "api" | Audience;

/** The interface and scope that a call requires of its token. */
export interface TokenUse {
  readonly addressed: Addressed;
  readonly scope: TokenScope;
}

/** Store of tokens, by the hash of their plaintext. */
export const tokens = {
  /**
   * Finds the caller and records the token's use. Returns undefined if the token does not exist.
   *
   * @throws ApiError `forbidden` for a suspended token; `unauthorized` for an expired token or one with another audience; otherwise
   * `insufficient_scope`
   */
  async authenticate(hash: string, nowMs: number, use: TokenUse): Promise<Caller | undefined> {
    const { condition, values } = barring(nowMs, use);
    const outcome = await updateItem({
      key: keys.token(hash),
      update: "SET lastUsedAtMs = :atMs",
      condition: `attribute_exists(pk) AND ${condition}`,
      values,
    });
    refuseBarred(outcome.item, nowMs, use);
    return outcome.updated ? toCaller(outcome.item) : undefined;
  },

  /**
   * Finds the caller, counts one write and records the token's use, in one update. Returns undefined if the token does not exist.
   *
   * @throws ApiError the same errors as `authenticate`, and `rate_limited` or `daily_quota_exceeded`. After an error, nothing is counted
   */
  async authenticateWrite(hash: string, nowMs: number, use: TokenUse): Promise<Caller | undefined> {
    const item = await spendRate({
      key: keys.token(hash),
      rules: writeRules,
      nowMs,
      set: { lastUsedAtMs: nowMs },
      mustExist: true,
      barring: barring(nowMs, use),
    });
    refuseBarred(item, nowMs, use);
    return item && { ...toCaller(item), writeWindowsOpenedAtMs: windowStarts(item, writeRules) };
  },

  /** Refunds the write of a call that turned out to be invalid. */
  refundWrite: (caller: Caller): Promise<void> => refund(caller, writeRules),

  /** Refunds a write only in the minute's window, for a call that wrote nothing because the service was busy. */
  refundMinute: (caller: Caller): Promise<void> => refund(caller, minuteRules),

  /** Lists the tokens of an account, oldest first. If a client may renew a token, the expiry is that of the client's grant. */
  async list(userId: string): Promise<Token[]> {
    const found = await readTokens(await queryAll(ranges.tokenRows(userId)));
    return found.toSorted(
      (one, other) => one.createdAtMs - other.createdAtMs || (one.id < other.id ? -1 : 1),
    );
  },

  /** Revokes a token of an account. Returns false if the account has no token with this id. */
  async revoke(userId: string, id: string, act: Act): Promise<boolean> {
    return retryConflicts(async () => {
      const row = await getItem(keys.tokenRow(userId, id));
      if (row === undefined) return false;
      const line = auditWrite(act, { ownerId: userId, tokenId: id });
      const { committed } = await transact([...tokenRemoval(row), line]);
      // The transaction failed because the client has replaced the token with its next one since the read.
      if (!committed) throw new RetryableError();
      return true;
    });
  },

  /** Revokes all tokens of an account, including tokens created during the call, and returns their number. */
  async revokeAll(userId: string, act: Act): Promise<number> {
    for (let count = 0; ; ) {
      const ids = (await queryAll(ranges.tokenRows(userId))).map(tokenIdOf);
      if (ids.length === 0) return count;
      for (const id of ids) if (await tokens.revoke(userId, id, act)) count += 1;
    }
  },
};

async function refund({ token, writeWindowsOpenedAtMs }: Caller, rules: readonly RateRule[]): Promise<void> {
  if (writeWindowsOpenedAtMs === undefined) return;
  await refundRate(keys.token(token.hash), rules, writeWindowsOpenedAtMs);
}

/** Parses tokens from their rows. If a client may renew a token, the expiry is that of the client's grant. */
export async function readTokens(rows: readonly Item[]): Promise<Token[]> {
  const found = await getItems(rows.map((row) => keys.token(row.hash as string)));
  return found.map((item) => {
    const { token } = toCaller(item);
    return { ...token, expiresAtMs: grantEndOf(item), scope: grantScopeOf(item) ?? "all" };
  });
}

/** Creates the writes that revoke a token, from its row. They fail if the client has replaced the token since the row was read. */
export function tokenRemoval(row: Item): TransactionWrite[] {
  return [
    { remove: keys.token(row.hash as string) },
    {
      remove: { pk: row.pk as string, sk: row.sk as string },
      condition: "#hash = :hash",
      names: { "#hash": "hash" },
      values: { ":hash": row.hash },
    },
  ];
}

/** Returns the id of a token from its row. */
export function tokenIdOf({ sk }: Item): string {
  return String(sk).slice("TOKEN#".length);
}

/** Condition under which an existing token is accepted, and a check for tokens that are refused. */
function barring(nowMs: number, { addressed, scope }: TokenUse) {
  const end = notExpired(nowMs);
  const granted = hasScope(scope);
  return {
    condition: `${isNotSuspended} AND ${end.condition} AND (attribute_not_exists(audience) OR audience = :addressed) AND ${granted.condition}`,
    values: { ...end.values, ":addressed": addressed, ...granted.values },
    isBarred: (item: Item) =>
      isSuspended(item) ||
      isExpired(item, nowMs) ||
      isElsewhere(item, addressed) ||
      !includesScope(scopeOf(item), scope),
  };
}

function refuseBarred(item: Item | undefined, nowMs: number, { addressed, scope }: TokenUse): void {
  if (item === undefined) return;
  const { token } = toCaller(item);
  if (isSuspended(item)) throw accountSuspended();
  if (isExpired(item, nowMs)) throw tokenExpired(expiryOf(token) ?? nowMs, token.audience);
  if (isElsewhere(item, addressed)) throw wrongAudience(token.audience);
  requireScope(token, scope);
}

/** Recognizes a token that was issued for another resource server (RFC 8707, section 2). */
function isElsewhere(item: Item, addressed: Addressed): boolean {
  return item.audience !== undefined && item.audience !== addressed;
}

/** Returns the name of the call that starts a sign-in. */
export function signInBy(call: (http: string, tool: string) => string): string {
  return call("POST /api/auth/start", "start_sign_in");
}

function wrongAudience(audience: Audience | undefined): ApiError {
  const [use, path] =
    audience === "own-pages"
      ? ["This workflow token can only publish, list, edit and delete its own pages", "/api/drops"]
      : ["This token works only at the MCP server, /mcp, as its client requested", "/mcp"];
  return new ApiError("unauthorized", {
    message: inBothWords((call) => `${use}. To get a token for the API, sign in with ${signInBy(call)}.`),
    details: { reason: "wrong_audience", audience: path },
  });
}

function isExpired(item: Item, nowMs: number): boolean {
  const expiresAtMs = expiryOf(toCaller(item).token);
  return expiresAtMs !== undefined && expiresAtMs <= nowMs;
}

function toCaller(item: Item): Caller {
  const token: Token = {
    id: item.id as string,
    userId: item.userId as string,
    hash: (item.pk as string).slice("TOKEN#".length),
    label: (item.label ?? null) as string | null,
    createdAtMs: item.createdAtMs as number,
    lastUsedAtMs: item.lastUsedAtMs as number,
    expiresAtMs: item.expiresAtMs as number | undefined,
    scope: scopeOf(item),
    audience: item.audience as Token["audience"],
    personId: item.personId as string | undefined,
  };
  const endsAtMs = expiryOf({ createdAtMs: token.createdAtMs, expiresAtMs: grantEndOf(item) });
  return { token, userId: token.userId, namespace: item.namespace as string, endsAtMs };
}

/** Returns the scope of a token. Tokens from before scopes existed have `all`. */
function scopeOf(item: Item): TokenScope {
  return (item.tokenScope ?? "all") as TokenScope;
}

/**
 * Returns the scope that a person granted to a client. The client's current token may have a narrower scope. Returns undefined if the
 * client requested the default.
 */
export function grantScopeOf(item: Item): TokenScope | undefined {
  return (item.grantScope ?? item.tokenScope) as TokenScope | undefined;
}

/** Returns the expiry of the client's grant, because its access tokens last only an hour, or else the token's own expiry. */
function grantEndOf(item: Item): number | undefined {
  return (item.grantExpiresAtMs ?? item.expiresAtMs) as number | undefined;
}
