import { audiencesFor } from "../drops/audiences.ts";
import type { Reader } from "../identity/readers.ts";
import type { LibraryPosition } from "../table/keys.ts";
import { isForAny } from "./rank.ts";
import { latestSnapshot } from "./snapshot.ts";

/**
 * Positions of the drops in a reader's library whose titles and descriptions have all of these normalized words, also within longer ones.
 * They are in no order. The index is a hint: who may read a drop, and its title, are still to be looked up.
 */
export async function findTitles(
  reader: Reader,
  words: readonly string[],
  ownerId: string | undefined,
): Promise<LibraryPosition[]> {
  const { segments } = await latestSnapshot();
  const audiences = new Set(audiencesFor(reader));
  return segments.flatMap(({ segment, rows }) =>
    segment.matchTitle(words).flatMap((id) => {
      const row = rows.get(id);
      if (row === undefined || (ownerId !== undefined && row.ownerId !== ownerId)) return [];
      if (row.isLocked && row.ownerId !== reader.userId) return [];
      return isForAny(row, audiences) ? [row] : [];
    }),
  );
}
