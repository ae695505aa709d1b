import { isDeepStrictEqual } from "node:util";
import pLimit from "p-limit";
import { countPageBytes } from "../../../functions/drops/items.ts";
import { drops } from "../../../functions/drops/store.ts";
import { trash } from "../../../functions/drops/trash-store.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { keys } from "../../../functions/table/keys.ts";
import { getItem, type Item, RetryableError, retryConflicts } from "../../../functions/table/table.ts";
import { transact } from "../../../functions/table/table-writes.ts";
import { listFiles } from "../table-reads.ts";

/** Counters of an account's quotas. */
export interface Counts {
  readonly dropCount: number;
  readonly pageBytes: number;
  /** Bytes of pages in the trash, which `pageBytes` includes. */
  readonly trashBytes: number;
  readonly blobCount: number;
  readonly blobBytes: number;
}

/** Counters and the actual counts. */
export interface CountsComparison {
  readonly stored: Counts;
  readonly counted: Counts;
  readonly verdict: "equal" | "different" | "fixed";
}

/** Drops whose versions are counted at the same time. */
const countedAtOnce = 20;

/**
 * Compares an account's counters with the actual counts, and corrects them if told to. Every counting write raises
 * `countsRevision`: only counts at an unchanged revision are compared. Undefined if the account is gone.
 *
 * @throws ApiError `unavailable` where it is changed each time
 */
export async function compareCounts(
  userId: string,
  fix: boolean,
  act?: Act,
): Promise<CountsComparison | undefined> {
  const isWritten = () =>
    new RetryableError(`The account ${userId} is being changed. Run the command again.`);
  return retryConflicts(async () => {
    const before = await getItem(keys.account(userId));
    if (before === undefined) return undefined;
    const counted = await count(userId);
    const stored = storedCounts(before);
    const isEqual = isDeepStrictEqual(stored, counted);
    if (fix && !isEqual) {
      if (!(await setCounts(userId, counted, before, act))) throw isWritten();
      return { stored, counted, verdict: "fixed" };
    }
    const after = await getItem(keys.account(userId));
    if (after?.countsRevision !== before.countsRevision) throw isWritten();
    return { stored, counted, verdict: isEqual ? "equal" : "different" };
  });
}

async function count(userId: string): Promise<Counts> {
  const [all, trashed, files] = await Promise.all([
    drops.list(userId),
    trash.list(userId),
    listFiles(userId),
  ]);
  const blobBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const trashBytes = await countAllPageBytes(trashed);
  const pageBytes = (await countAllPageBytes(all)) + trashBytes;
  return { dropCount: all.length, pageBytes, trashBytes, blobCount: files.length, blobBytes };
}

async function countAllPageBytes(all: readonly { readonly slug: string }[]): Promise<number> {
  const counted = await pLimit(countedAtOnce).map(all, ({ slug }) => countPageBytes(slug));
  return counted.reduce((sum, bytes) => sum + bytes, 0);
}

/** Writes the counters. Returns false if one has changed since the account was read. */
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
      "SET dropCount = :drops, pageBytes = :pageBytes, trashBytes = :trashBytes, blobCount = :blobs, blobBytes = :bytes, " +
      "countsRevision = if_not_exists(countsRevision, :zero) + :one",
    condition:
      seen === undefined
        ? "attribute_exists(pk) AND attribute_not_exists(countsRevision)"
        : "countsRevision = :seen",
    values: {
      ":drops": counted.dropCount,
      ":pageBytes": counted.pageBytes,
      ":trashBytes": counted.trashBytes,
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
    trashBytes: (item.trashBytes ?? 0) as number,
    blobCount: item.blobCount as number,
    blobBytes: item.blobBytes as number,
  };
}
