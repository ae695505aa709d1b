import { limits } from "../contract/limits.ts";
import type { Blob } from "./blob.ts";
import type { Drop } from "./drop.ts";

/** What an owner's page shows of a drop. */
export interface ShelvedDrop extends Pick<Drop, "slug" | "updatedAtMs"> {
  /** Null where the drop is locked: its title stays behind the gate. */
  readonly title: string | null;
}

/** What an owner's page shows of a file. */
export type ShelvedFile = Pick<Blob, "id" | "filename" | "contentType" | "sizeBytes" | "createdAtMs">;

/** A drop or a file, by what decides which page of the shelf it is on. */
export interface ShelfEntry {
  readonly atMs: number;
  /** The bytes of its name that are shown. */
  readonly nameBytes: number;
}

/**
 * A page of the shelf stays under 20 KB as it is sent, and the search in it needs no round trip: so many rows fit, and
 * so many bytes of names in them, which compress least. Both are what gzip makes of titles in plain words.
 */
const entriesPerPageMax = 500;
const nameBytesPerPageMax = 18_000;

/** A title is longer than a filename, which is ASCII; a code point has 4 bytes at most. */
const nameBytesMax = limits.titleCodePointsMax * 4;
const fullPageEntriesMin = Math.floor(nameBytesPerPageMax / nameBytesMax);

/** How many pages so many drops and files come to at most, however long their names are. */
export function shelfPagesMax(entryCount: number): number {
  return Math.max(1, Math.ceil(entryCount / fullPageEntriesMin));
}

/** A page of drops and files, newest first among both, and how many pages there are; one after the last has nothing. */
export function selectShelf<Entry extends ShelfEntry>(
  entries: readonly Entry[],
  page: number,
): { readonly shown: readonly Entry[]; readonly pageCount: number } {
  const pages = cutIntoPages(entries.toSorted((one, other) => other.atMs - one.atMs));
  return { shown: pages[page - 1] ?? [], pageCount: pages.length };
}

/** At least one page, which may be empty. */
function cutIntoPages<Entry extends ShelfEntry>(entries: readonly Entry[]): Entry[][] {
  let last: Entry[] = [];
  let nameBytes = 0;
  const pages = [last];
  for (const entry of entries) {
    const isFull = last.length === entriesPerPageMax || nameBytes + entry.nameBytes > nameBytesPerPageMax;
    if (isFull) {
      last = [];
      nameBytes = 0;
      pages.push(last);
    }
    last.push(entry);
    nameBytes += entry.nameBytes;
  }
  return pages;
}
