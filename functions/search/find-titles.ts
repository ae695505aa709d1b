import { matchesWords, normalizedWords } from "../core/normalize-text.ts";
import type { Reader } from "../people/find-reader.ts";
import { canFind, canList, toSearcher } from "../policies/access.ts";
import type { LibraryPosition } from "../table/keys.ts";
import { countSearch } from "./find-drops.ts";
import { latestSnapshot } from "./snapshot.ts";
import { readWaitingDrops } from "./waiting-drops.ts";

/**
 * Positions of the drops in a reader's library whose titles and descriptions have all of these normalized words, also within longer ones,
 * including drops that wait to be indexed, in no order. The caller still has to check the title and who may read the drop.
 *
 * @throws ApiError `rate_limited` for a reader who has searched too often
 */
export async function findTitles(
  reader: Reader,
  words: readonly string[],
  ownerId: string | undefined,
  nowMs: number,
): Promise<LibraryPosition[]> {
  // The queue is read first: drops that have left it are in the index.
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
