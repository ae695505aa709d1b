import type { Drop } from "../drops/drop.ts";
import { type Audience, audiencesOf, toVisibility } from "../policies/access.ts";
import { type Key, keys, type LibraryPosition, parseLibraryPosition, ranges } from "../table/keys.ts";
import { type Item, querySortKeysBefore } from "../table/table.ts";

/** The fields of a drop that determine its index entries. */
export type IndexedDrop = Pick<Drop, "slug" | "ownerId" | "createdAtMs" | "visibility">;

/** The keys of a drop's entries. An entry has only its key. */
export function entriesOf(drop: IndexedDrop): Key[] {
  return audiencesOf(drop).map((audience) => keys.libraryEntry(audience, drop));
}

/**
 * The index entries of a drop's row; none without a row. Reads only these fields, so that a faulty drop does not block others.
 *
 * @throws TypeError if the service did not write the row
 */
export function entriesOfRow(row: Item, drop: Pick<Drop, "slug" | "ownerId">): Key[] {
  if (row.slug === undefined) return [];
  const { createdAtMs } = row;
  if (!Number.isSafeInteger(createdAtMs)) throw new TypeError("The row has no createdAtMs.");
  return entriesOf({ ...drop, createdAtMs: createdAtMs as number, visibility: toVisibility(row) });
}

/** Index of drops by audience. It is a hint: each drop is read before it is shown. */
export const libraryIndex = {
  /** Lists the drops of an audience, or those older than a position, newest first, up to a limit. */
  async list(
    audience: Audience,
    before: string | undefined,
    limit: number,
  ): Promise<readonly LibraryPosition[]> {
    const found = await querySortKeysBefore(ranges.library(audience).pk, before, limit);
    return found.flatMap((text) => parseLibraryPosition(text) ?? []);
  },
};
