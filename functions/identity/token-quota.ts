import { environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { membershipEndedAttribute } from "../people/accounts.ts";
import { keys, ranges } from "../table/keys.ts";
import { isNotSuspended, isSuspended } from "../table/suspension.ts";
import { getItem, type Item, queryAll } from "../table/table.ts";
import { isUnchanged, type TransactionWrite } from "../table/table-writes.ts";

/** Quota for tokens, as read. It stays valid until another claim changes the revision. */
export interface TokenQuota {
  readonly namespace: string;
  /** Number of claimed tokens; undefined for older accounts until the next claim. */
  readonly revision: number | undefined;
  readonly isFull: boolean;
  readonly isSuspended: boolean;
  /** The account's owner is no longer a member. */
  readonly isRemoved: boolean;
}

/**
 * Counts the tokens of an account; undefined if there is no account. The revision is read before the rows, so a claim that relies
 * on the count fails if another token was claimed since. Revocations do not change it.
 */
export async function findTokenQuota(userId: string, nowMs: number): Promise<TokenQuota | undefined> {
  const account = await getItem(keys.account(userId));
  if (account === undefined || account.deletingAtMs !== undefined) return undefined;
  const rows = await queryAll(ranges.tokenRows(userId));
  return {
    namespace: account.namespace as string,
    revision: account.tokensRevision as number | undefined,
    isFull: rows.filter((row) => !isOver(row, nowMs)).length >= tokensPerAccountMax(),
    isSuspended: isSuspended(account),
    isRemoved: account[membershipEndedAttribute] !== undefined,
  };
}

/** The write that goes with each new token. It fails if the account has changed since it was read, or may have no more tokens. */
export function tokenCount(userId: string, { revision }: Pick<TokenQuota, "revision">): TransactionWrite {
  return {
    key: keys.account(userId),
    update: "ADD tokensRevision :one",
    condition: `${hasTokenQuota} AND ${isUnchanged("tokensRevision", revision)}`,
    values: { ":one": 1, ":seen": revision },
  };
}

/** Condition that an account is not being deleted, is not suspended, and belongs to a member. */
export const hasTokenQuota = `attribute_exists(pk) AND attribute_not_exists(deletingAtMs) AND ${isNotSuspended} AND attribute_not_exists(${membershipEndedAttribute})`;

/** Recognizes an expired token, which does not count although DynamoDB has not removed it. */
function isOver({ expiresAtMs }: Item, nowMs: number): boolean {
  return expiresAtMs !== undefined && (expiresAtMs as number) <= nowMs;
}

/** Quota of tokens for each account. */
export function tokensPerAccountMax(): number {
  return Number(findEnvironment(environmentNames.tokensPerAccountMax) ?? limits.tokensPerAccountMax);
}

/**
 * Refuses a sign-in early if its account has reached the limit of tokens. Only the transaction that stores the token
 * decides.
 *
 * @throws ApiError `quota_exceeded`
 */
export async function requireTokenQuota(userId: string, nowMs: number): Promise<void> {
  if ((await findTokenQuota(userId, nowMs))?.isFull) throw tokenQuotaExceeded();
}

/** Error for a token beyond the account's limit. */
export function tokenQuotaExceeded(): ApiError {
  const most = tokensPerAccountMax();
  return new ApiError("quota_exceeded", {
    message: `This account has reached the limit of ${most} tokens. Revoke some on your tokens page or with an agent that is signed in, then ask for a new code.`,
    details: { tokens_max: most },
  });
}
