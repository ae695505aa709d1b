import type { Drop } from "../drops/drop.ts";
import { type Key, keys, type LibraryPosition, parseLibraryPosition, ranges } from "../platform/keys.ts";
import { querySortKeysBefore } from "../platform/table.ts";
import { type Audience, audiencesOf } from "./audience.ts";

/** The part of a drop that its entries in the index are made of. */
export type IndexedDrop = Pick<Drop, "slug" | "ownerId" | "createdAtMs" | "visibility">;

/** The keys of a drop's entries: they are all that there is of an entry. */
export function entriesOf(drop: IndexedDrop): Key[] {
  return audiencesOf(drop.visibility).map((audience) => keys.libraryEntry(audience, drop));
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
