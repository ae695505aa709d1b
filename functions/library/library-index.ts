import type { Drop } from "../drops/drop.ts";
import { type Audience, audiencesOf, toVisibility } from "../policies/access.ts";
import { type Key, keys, type LibraryPosition, parseLibraryPosition, ranges } from "../table/keys.ts";
import { type Item, querySortKeysBefore } from "../table/table.ts";

/** Fields of a drop from which its index entries are built. */
export type IndexedDrop = Pick<Drop, "slug" | "ownerId" | "createdAtMs" | "visibility">;

/** Returns the keys of a drop's index entries. An entry consists only of its key. */
export function entriesOf(drop: IndexedDrop): Key[] {
  return audiencesOf(drop).map((audience) => keys.libraryEntry(audience, drop));
}

/**
 * Returns the keys of the index entries for a drop's row. Reads only the fields that it needs, so that an invalid row
 * does not block other drops.
 *
 * @throws TypeError if the service did not write the row
 */
export function entriesOfRow(row: Item, drop: Pick<Drop, "slug" | "ownerId">): Key[] {
  if (row.slug === undefined) return [];
  const { createdAtMs } = row;
  if (!Number.isSafeInteger(createdAtMs)) throw new TypeError("The row has no createdAtMs.");
  return entriesOf({ ...drop, createdAtMs: createdAtMs as number, visibility: toVisibility(row) });
}

/** Index of drops by audience. The index may be out of date, so callers read each drop before they show it. */
export const libraryIndex = {
  /** Lists up to `limit` drops of an audience, newest first. Starts after the position `before`, if given. */
  async list(
    audience: Audience,
    before: string | undefined,
    limit: number,
  ): Promise<readonly LibraryPosition[]> {
    const found = await querySortKeysBefore(ranges.library(audience).pk, before, limit);
    return found.flatMap((text) => parseLibraryPosition(text) ?? []);
  },
};
