import type { Blob } from "./blob.ts";
import { type Drop, isLocked } from "./drop.ts";

/** One page of what an owner has published. */
export interface ShelfPage {
  readonly drops: readonly Drop[];
  readonly blobs: readonly Blob[];
  readonly pageCount: number;
}

/**
 * A page of the shelf stays under 20 KB as it is sent, and the search in it needs no round trip: so many rows fit, and
 * so many bytes of names in them, which compress least. Both are what gzip makes of titles in plain words.
 */
const entriesPerPageMax = 500;
const nameBytesPerPageMax = 18_000;

interface ShelfEntry {
  readonly drop?: Drop;
  readonly blob?: Blob;
  readonly atMs: number;
  readonly nameBytes: number;
}

/** A page of drops and files, newest first among both; undefined for a page that there is not. */
export function selectShelf(
  shelf: { readonly drops: readonly Drop[]; readonly blobs: readonly Blob[] },
  page: number,
): ShelfPage | undefined {
  const pages = cutIntoPages(newestFirst(shelf));
  const shown = pages[page - 1];
  return (
    shown && {
      drops: shown.flatMap(({ drop }) => drop ?? []),
      blobs: shown.flatMap(({ blob }) => blob ?? []),
      pageCount: pages.length,
    }
  );
}

function newestFirst({ drops, blobs }: Parameters<typeof selectShelf>[0]): ShelfEntry[] {
  const entries = [
    ...drops.map((drop) => ({
      drop,
      atMs: drop.updatedAtMs,
      // A locked drop's title is not shown.
      nameBytes: isLocked(drop) ? 0 : Buffer.byteLength(drop.title),
    })),
    ...blobs.map((blob) => ({ blob, atMs: blob.createdAtMs, nameBytes: blob.filename.length })),
  ];
  return entries.sort((one, other) => other.atMs - one.atMs);
}

/** At least one page, which may be empty. */
function cutIntoPages(entries: readonly ShelfEntry[]): ShelfEntry[][] {
  let last: ShelfEntry[] = [];
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
