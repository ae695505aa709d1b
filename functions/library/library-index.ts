import type { Drop } from "../drops/drop.ts";
import { audiencesOf, toVisibility } from "../policies/access.ts";
import { type Key, keys } from "../table/keys.ts";
import type { Item } from "../table/table.ts";

/** Returns the keys of a drop's index entries. An entry consists only of its key. */
export function entriesOf(drop: Pick<Drop, "slug" | "ownerId" | "createdAtMs" | "visibility">): Key[] {
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
