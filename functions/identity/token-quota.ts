import { environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { membershipEndedAttribute } from "../people/accounts.ts";
import type { Token } from "../table/identifiers.ts";
import { keys, ranges } from "../table/keys.ts";
import { isNotSuspended, isSuspended } from "../table/suspension.ts";
import { getItem, type Item, queryAll } from "../table/table.ts";
import { isUnchanged, type TransactionWrite } from "../table/table-writes.ts";
import { tokenTtl } from "../table/tokens.ts";

/** An account's token quota. Valid until another token is claimed, which changes the revision. */
export type TokenQuota = NonNullable<Awaited<ReturnType<typeof findTokenQuota>>>;

/**
 * Reads an account's token quota. Returns undefined if the account does not exist. Reads the revision before counting the tokens, so that a
 * claim fails if another token was claimed in the meantime.
 */
export async function findTokenQuota(userId: string, nowMs: number) {
  const account = await getItem(keys.account(userId));
  if (account === undefined || account.deletingAtMs !== undefined) return undefined;
  const rows = await queryAll(ranges.tokenRows(userId));
  return {
    namespace: account.namespace as string,
    /** Number of tokens claimed so far. Undefined for an account from an earlier release that has claimed no token since. */
    revision: account.tokensRevision as number | undefined,
    isFull: rows.filter((row) => !isOver(row, nowMs)).length >= tokensPerAccountMax(),
    isSuspended: isSuspended(account),
    /** True if the account's owner is no longer a member. */
    isRemoved: account[membershipEndedAttribute] !== undefined,
  };
}

/** Returns the writes that store a new token, and add it to the account's list and count of tokens. */
export function tokenWrites({ hash, scope: tokenScope, audience: _, ...token }: Token, quota: TokenQuota) {
  const { id, userId, expiresAtMs } = token;
  const end = { expiresAtMs, ttl: tokenTtl(expiresAtMs) };
  return {
    token: {
      put: { ...keys.token(hash), ...token, namespace: quota.namespace, tokenScope, ...end },
      condition: "attribute_not_exists(pk)",
    },
    row: { put: { ...keys.tokenRow(userId, id), hash, ...end } },
    account: tokenCount(userId, quota),
  };
}

/** Returns the write that counts a new token. The write fails after another claim, or if the account may not have tokens. */
export function tokenCount(userId: string, { revision }: Pick<TokenQuota, "revision">): TransactionWrite {
  return {
    key: keys.account(userId),
    update: "ADD tokensRevision :one",
    condition: `${hasTokenQuota} AND ${isUnchanged("tokensRevision", revision)}`,
    values: { ":one": 1, ":seen": revision },
  };
}

/** Condition that an account is not being deleted or suspended, and that its owner is still a member. */
export const hasTokenQuota = `attribute_exists(pk) AND attribute_not_exists(deletingAtMs) AND ${isNotSuspended} AND attribute_not_exists(${membershipEndedAttribute})`;

/** Recognizes an expired token, whose item DynamoDB may not have deleted yet. */
function isOver({ expiresAtMs }: Item, nowMs: number): boolean {
  return expiresAtMs !== undefined && (expiresAtMs as number) <= nowMs;
}

/** Returns the maximum number of tokens per account. */
export function tokensPerAccountMax(): number {
  return Number(findEnvironment(environmentNames.tokensPerAccountMax) ?? limits.tokensPerAccountMax);
}

/**
 * Refuses a sign-in if its account has reached the token limit. Checks only to refuse early, because the transaction that stores the token
 * also checks the limit.
 *
 * @throws ApiError `quota_exceeded`
 */
export async function requireTokenQuota(userId: string, nowMs: number): Promise<void> {
  if ((await findTokenQuota(userId, nowMs))?.isFull) throw tokenQuotaExceeded();
}

/** Error for an account that has reached its token limit. */
export function tokenQuotaExceeded(): ApiError {
  const most = tokensPerAccountMax();
  return new ApiError("quota_exceeded", {
    message: `This account has reached the limit of ${most} tokens. Revoke some on your tokens page or with an agent that is signed in, then ask for a new code.`,
    details: { tokens_max: most },
  });
}
