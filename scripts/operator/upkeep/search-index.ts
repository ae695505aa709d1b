import { readDrop } from "../../../functions/drops/audiences.ts";
import { readManifest, resetIndex } from "../../../functions/search/index-files.ts";
import { isIndexed, updateIndex } from "../../../functions/search/index-writer.ts";
import { headOf } from "../../../functions/search/read-document.ts";
import type { IndexedPlace } from "../../../functions/search/search-document.ts";
import { latestSnapshot, MissingSegmentError } from "../../../functions/search/snapshot.ts";
import { parseKey } from "../../../functions/table/keys.ts";
import { readTable } from "../table-reads.ts";

/** Drops that are indexed in one write. */
const batchSize = 250;

/** Drops with wrong or missing entries in the search index. Reads the whole table. */
export async function findUnindexed(nowMs: number): Promise<readonly IndexedPlace[]> {
  const snapshot = await latestSnapshot();
  const unindexed: IndexedPlace[] = [];
  const seen = new Set<string>();
  for await (const items of readTable()) {
    for (const item of items) {
      const subject = parseKey(item);
      if (subject?.kind !== "drop" || item.slug === undefined) continue;
      const drop = readDrop(item);
      if (drop === undefined) continue;
      seen.add(drop.slug);
      if (!isIndexed(headOf(drop, drop, nowMs), snapshot)) unindexed.push(drop);
    }
  }
  const indexed = snapshot.segments.flatMap(({ rows }) => [...rows.values()]);
  return [...unindexed, ...indexed.filter(({ slug }) => !seen.has(slug))];
}

/** Indexes drops, and reports the number of those that are done after each write. */
export async function indexDrops(
  places: readonly IndexedPlace[],
  report: (done: number) => void,
): Promise<void> {
  for (let start = 0; start < places.length; start += batchSize) {
    const batch = places.slice(start, start + batchSize);
    await updateIndex(
      batch.map(({ ownerId, slug }) => ({ ownerId, slug })),
      Date.now(),
    );
    report(start + batch.length);
  }
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
