import { readDrop } from "../../../functions/drops/items.ts";
import { readManifest, resetIndex } from "../../../functions/search/index-files.ts";
import { mergeIndex } from "../../../functions/search/index-upkeep.ts";
import { isIndexed, updateIndex } from "../../../functions/search/index-writer.ts";
import { headOf } from "../../../functions/search/read-document.ts";
import type { IndexedPlace } from "../../../functions/search/search-document.ts";
import { latestSnapshot, MissingSegmentError } from "../../../functions/search/snapshot.ts";
import { parseKey } from "../../../functions/table/keys.ts";
import { readTable } from "../table-reads.ts";

/** Drops that are indexed in one write at most, and the tokens of their texts. */
const batchSize = 250;
const batchTokensMax = 1_000_000;

/** Drops whose entries in the search index are wrong. */
export interface SearchGaps {
  /** The index does not have them. */
  readonly missing: readonly IndexedPlace[];
  /** Their entries are older than their rows. */
  readonly outdated: readonly IndexedPlace[];
  /** Entries of drops that are gone. */
  readonly surplus: readonly IndexedPlace[];
}

/** Compares the search index with the drops. Reads the whole table. */
export async function findSearchGaps(nowMs: number): Promise<SearchGaps> {
  const snapshot = await latestSnapshot();
  const indexed = snapshot.segments.flatMap(({ rows }) => [...rows.values()]);
  const known = new Set(indexed.map(({ slug }) => slug));
  const [missing, outdated]: [IndexedPlace[], IndexedPlace[]] = [[], []];
  const seen = new Set<string>();
  for await (const items of readTable()) {
    for (const item of items) {
      const subject = parseKey(item);
      if (subject?.kind !== "drop" || item.slug === undefined) continue;
      const drop = readDrop(item);
      if (drop === undefined) continue;
      seen.add(drop.slug);
      if (!isIndexed(headOf(drop, drop, nowMs), snapshot))
        (known.has(drop.slug) ? outdated : missing).push(drop);
    }
  }
  return { missing, outdated, surplus: indexed.filter(({ slug }) => !seen.has(slug)) };
}

/** Indexes drops, and reports the number of those that are done after each write. */
export async function indexDrops(
  places: readonly IndexedPlace[],
  report: (done: number) => void,
): Promise<void> {
  let left = places.map(({ ownerId, slug }) => ({ ownerId, slug }));
  while (left.length > 0) {
    const batch = left.slice(0, batchSize);
    const budget = {
      tokensMax: batchTokensMax,
      ownerTokensMax: batchTokensMax,
      endMs: Number.POSITIVE_INFINITY,
    };
    const rest = await updateIndex(batch, Date.now(), budget);
    left = [...left.slice(batchSize), ...rest];
    report(places.length - left.length);
  }
  while (await mergeIndex(Date.now(), { isQuiet: true }));
}

/** Resets an index whose files are damaged or missing. Returns false if they are not. Other errors are thrown. */
export async function resetUnreadableIndex(): Promise<boolean> {
  try {
    await latestSnapshot();
    return false;
  } catch (error) {
    const isDamaged = (error as NodeJS.ErrnoException).code === "ERR_SQLITE_ERROR";
    if (!isDamaged && !(error instanceof MissingSegmentError)) throw error;
    await resetIndex(await readManifest(), Date.now());
    return true;
  }
}
