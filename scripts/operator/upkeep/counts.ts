import { setTimeout as sleep } from "node:timers/promises";
import { toBlob } from "../../../functions/blobs/store.ts";
import type { Drop } from "../../../functions/drops/drop.ts";
import { countPageBytes } from "../../../functions/drops/items.ts";
import { drops } from "../../../functions/drops/store.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { keys, ranges } from "../../../functions/table/keys.ts";
import { getItem, type Item, queryAll } from "../../../functions/table/table.ts";
import { transact } from "../../../functions/table/table-writes.ts";

/** Counters of an account's quotas. */
export interface Counts {
  readonly dropCount: number;
  readonly pageBytes: number;
  readonly blobCount: number;
  readonly blobBytes: number;
}

/** Counters beside what there is. */
export interface CountsComparison {
  readonly stored: Counts;
  readonly counted: Counts;
  readonly verdict: "equal" | "different" | "fixed";
}

/** Writes meanwhile that one comparison stands before it gives up. */
const attemptsMax = 30;
const waitMsMax = 500;
/** Drops whose versions are counted at the same time. */
const countedAtOnce = 20;

/**
 * Compares an account's counters with what there is, and sets them right if told to. Every write that counts raises the
 * account's `countsRevision`: only what was read while it stayed the same is compared, and only then is anything set.
 * Undefined where the account is gone.
 *
 * @throws Error when there were writes all the time
 */
export async function compareCounts(
  userId: string,
  fix: boolean,
  act?: Act,
): Promise<CountsComparison | undefined> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    if (attempt > 0) await sleep(Math.random() * Math.min(waitMsMax, 10 * 2 ** attempt));
    const before = await getItem(keys.account(userId));
    if (before === undefined) return undefined;
    const counted = await count(userId);
    const stored = storedCounts(before);
    if (fix && !isEqual(stored, counted)) {
      if (await setCounts(userId, counted, before, act)) return { stored, counted, verdict: "fixed" };
      continue;
    }
    const after = await getItem(keys.account(userId));
    if (after?.countsRevision !== before.countsRevision) continue;
    return { stored, counted, verdict: isEqual(stored, counted) ? "equal" : "different" };
  }
  throw new Error(`The account ${userId} is written to all the time: try again later.`);
}

async function count(userId: string): Promise<Counts> {
  const [all, blobItems] = await Promise.all([drops.list(userId), queryAll(ranges.blobs(userId))]);
  const blobBytes = blobItems.map(toBlob).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const pageBytes = await countAllPageBytes(all);
  return { dropCount: all.length, pageBytes, blobCount: blobItems.length, blobBytes };
}

async function countAllPageBytes(all: readonly Drop[]): Promise<number> {
  let sum = 0;
  for (let start = 0; start < all.length; start += countedAtOnce) {
    const counted = all.slice(start, start + countedAtOnce).map(({ slug }) => countPageBytes(slug));
    for (const bytes of await Promise.all(counted)) sum += bytes;
  }
  return sum;
}

/** False when something was counted since the account was read. */
async function setCounts(
  userId: string,
  counted: Counts,
  before: Item,
  act: Act | undefined,
): Promise<boolean> {
  const seen = before.countsRevision;
  const setting = {
    key: keys.account(userId),
    update:
      "SET dropCount = :drops, pageBytes = :pageBytes, blobCount = :blobs, blobBytes = :bytes, " +
      "countsRevision = if_not_exists(countsRevision, :zero) + :one",
    condition:
      seen === undefined
        ? "attribute_exists(pk) AND attribute_not_exists(countsRevision)"
        : "countsRevision = :seen",
    values: {
      ":drops": counted.dropCount,
      ":pageBytes": counted.pageBytes,
      ":blobs": counted.blobCount,
      ":bytes": counted.blobBytes,
      ":zero": 0,
      ":one": 1,
      ":seen": seen,
    },
  };
  const outcome = await transact([setting, ...(act ? [auditWrite(act, { ownerId: userId })] : [])]);
  return outcome.committed;
}

function storedCounts(item: Item): Counts {
  return {
    dropCount: item.dropCount as number,
    // An account from before pages were counted has none of it until something is written.
    pageBytes: (item.pageBytes ?? 0) as number,
    blobCount: item.blobCount as number,
    blobBytes: item.blobBytes as number,
  };
}

function isEqual(one: Counts, other: Counts): boolean {
  return (
    one.dropCount === other.dropCount &&
    one.pageBytes === other.pageBytes &&
    one.blobCount === other.blobCount &&
    one.blobBytes === other.blobBytes
  );
}
