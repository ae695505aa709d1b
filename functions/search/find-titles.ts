import { matchesWords, normalizedWords } from "../core/normalize-text.ts";
import type { Reader } from "../people/find-reader.ts";
import { canFind, canList, toSearcher } from "../policies/access.ts";
import type { LibraryPosition } from "../table/keys.ts";
import { countSearch } from "./find-drops.ts";
import { latestSnapshot } from "./snapshot.ts";
import { readWaitingDrops } from "./waiting-drops.ts";

/**
 * Finds drops in a reader's library by title and description, which must contain all of these normalized words, also within longer words.
 * Includes drops that have not been indexed yet. Returns the drops' positions in no particular order. The caller must check the current
 * title and the reader's access.
 *
 * @throws ApiError `rate_limited` at the reader's search limit
 */
export async function findTitles(
  reader: Reader,
  words: readonly string[],
  ownerId: string | undefined,
  nowMs: number,
): Promise<LibraryPosition[]> {
  // Reads the queue before the index, because drops that have left the queue are in the index.
  const [waiting] = await Promise.all([readWaitingDrops(reader.userId, ownerId), countSearch(reader, nowMs)]);
  const { segments } = await latestSnapshot();
  const searcher = toSearcher(reader);
  const fresh = waiting
    .map(({ drop }) => drop)
    .filter(({ title, description }) =>
      matchesWords(words, normalizedWords(`${title} ${description ?? ""}`)),
    );
  const indexed = segments.flatMap(({ segment, rows }) =>
    segment.matchTitle(words).flatMap((id) => {
      const row = rows.get(id);
      if (row === undefined || (ownerId !== undefined && row.ownerId !== ownerId)) return [];
      return canList(row, searcher, nowMs) && canFind(row, searcher, nowMs) ? [row] : [];
    }),
  );
  return [...fresh, ...indexed];
}
