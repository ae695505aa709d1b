import type { Act } from "./audit.ts";
import { auditWrite } from "./audit-trail.ts";
import { keys, ranges } from "./keys.ts";
import { refundRate, spendRate, windowOf } from "./rate-limits.ts";
import { writeRules } from "./rate-rules.ts";
import { accountSuspended, isNotSuspended, isSuspended } from "./suspension.ts";
import { getItem, getItems, type Item, queryAll } from "./table.ts";
import { transact, updateItem } from "./table-writes.ts";
import type { Token } from "./token.ts";
import { expiryOf, notExpired, tokenExpired } from "./token-lifetime.ts";

/** A token with the namespace of its account, so that no call needs the account to build URLs. */
export interface Caller {
  readonly token: Token;
  readonly userId: string;
  readonly namespace: string;
  /** When the windows opened that hold the write of this call, by the names of their rules; absent where it spent none. */
  readonly writeWindowsOpenedAtMs?: Readonly<Record<string, number>>;
}

/** Tokens by the hash of their plaintext. */
export const tokens = {
  /**
   * Finds the caller and stamps the token as used. Undefined where no such token is.
   *
   * @throws ApiError `forbidden` for a suspended one, `unauthorized` for one that has expired.
   */
  async authenticate(hash: string, nowMs: number): Promise<Caller | undefined> {
    const { condition, values } = barring(nowMs);
    const outcome = await updateItem({
      key: keys.token(hash),
      update: "SET lastUsedAtMs = :atMs",
      condition: `attribute_exists(pk) AND ${condition}`,
      values,
    });
    refuseBarred(outcome.item, nowMs);
    return outcome.updated ? toCaller(outcome.item) : undefined;
  },

  /**
   * Finds the caller, spends one write and stamps the token, in one update. Undefined where no such token is.
   *
   * @throws ApiError the same, and `rate_limited` or `daily_quota_exceeded`; then nothing is spent.
   */
  async authenticateWrite(hash: string, nowMs: number): Promise<Caller | undefined> {
    const item = await spendRate({
      key: keys.token(hash),
      rules: writeRules,
      nowMs,
      set: { lastUsedAtMs: nowMs },
      mustExist: true,
      barring: barring(nowMs),
    });
    refuseBarred(item, nowMs);
    return item && { ...toCaller(item), writeWindowsOpenedAtMs: openedAtMs(item) };
  },

  /** Gives a call's write back that turned out to be invalid. */
  async refundWrite({ token, writeWindowsOpenedAtMs = {} }: Caller): Promise<void> {
    await refundRate(keys.token(token.hash), writeRules, writeWindowsOpenedAtMs);
  },

  /** The tokens of an account, oldest first. */
  async list(userId: string): Promise<Token[]> {
    const rows = await queryAll(ranges.tokenRows(userId));
    const found = await getItems(rows.map((row) => keys.token(row.hash as string)));
    return found
      .map((item) => toCaller(item).token)
      .sort((one, other) => one.createdAtMs - other.createdAtMs || (one.id < other.id ? -1 : 1));
  },

  /** Revokes a token of an account; false where the account has none with this id. */
  async revoke(userId: string, id: string, act: Act): Promise<boolean> {
    const row = await getItem(keys.tokenRow(userId, id));
    if (row === undefined) return false;
    const outcome = await transact([
      { remove: keys.token(row.hash as string) },
      { remove: keys.tokenRow(userId, id), condition: "attribute_exists(pk)" },
      auditWrite(act, { ownerId: userId, tokenId: id }),
    ]);
    return outcome.committed;
  },
};

/** What a token is refused by that is there. */
function barring(nowMs: number) {
  const { condition, values } = notExpired(nowMs);
  return {
    condition: `${isNotSuspended} AND ${condition}`,
    values,
    isBarred: (item: Item) => isSuspended(item) || isExpired(item, nowMs),
  };
}

function refuseBarred(item: Item | undefined, nowMs: number): void {
  if (item === undefined) return;
  if (isSuspended(item)) throw accountSuspended();
  if (isExpired(item, nowMs)) throw tokenExpired(expiryOf(toCaller(item).token) ?? nowMs);
}

function isExpired(item: Item, nowMs: number): boolean {
  const expiresAtMs = expiryOf(toCaller(item).token);
  return expiresAtMs !== undefined && expiresAtMs <= nowMs;
}

function openedAtMs(item: Item): Record<string, number> {
  return Object.fromEntries(writeRules.map((rule) => [rule.name, windowOf(item, rule).startedAtMs ?? 0]));
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
  };
  return { token, userId: token.userId, namespace: item.namespace as string };
}
