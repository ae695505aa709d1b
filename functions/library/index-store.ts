import type { Drop } from "../drops/drop.ts";
import { type Key, keys, type LibraryPosition, parseLibraryPosition, ranges } from "../platform/keys.ts";
import { type Item, querySortKeysBefore } from "../platform/table.ts";
import { toVisibility } from "../platform/visibility.ts";
import { type Audience, audiencesOf } from "./audience.ts";

/** The part of a drop that its entries in the index are made of. */
export type IndexedDrop = Pick<Drop, "slug" | "ownerId" | "createdAtMs" | "visibility">;

/** The keys of a drop's entries: they are all that there is of an entry. */
export function entriesOf(drop: IndexedDrop): Key[] {
  return audiencesOf(drop.visibility).map((audience) => keys.libraryEntry(audience, drop));
}

/**
 * The entries that a drop has by its row, or none where there is no row. Nothing else of the row is read, so that what is wrong with a
 * drop keeps no other waiting.
 *
 * @throws TypeError when it is of a row that the service did not write
 */
export function entriesOfRow(row: Item, drop: Pick<Drop, "slug" | "ownerId">): Key[] {
  if (row.slug === undefined) return [];
  const { createdAtMs } = row;
  if (!Number.isSafeInteger(createdAtMs)) throw new TypeError("The row has no createdAtMs.");
  return entriesOf({ ...drop, createdAtMs: createdAtMs as number, visibility: toVisibility(row) });
}

/** The index of what may be read, by audience: a hint, which says nothing of a drop but where it is. */
export const libraryIndex = {
  /** The drops of an audience that were made before another, or all of them, newest first: at most so many. */
  async list(
    audience: Audience,
    before: string | undefined,
    limit: number,
  ): Promise<readonly LibraryPosition[]> {
    const found = await querySortKeysBefore(ranges.library(audience).pk, before, limit);
    return found.flatMap((text) => parseLibraryPosition(text) ?? []);
  },
};
