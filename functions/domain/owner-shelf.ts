import type { Blob } from "./blob.ts";
import type { Drop } from "./drop.ts";

/** One page of what an owner has published. */
export interface ShelfPage {
  readonly drops: readonly Drop[];
  readonly blobs: readonly Blob[];
  readonly pageCount: number;
}

const entriesPerPage = 40;

/** A page of drops and files, newest first among both; undefined for a page that there is not. */
export function selectShelf(
  shelf: { readonly drops: readonly Drop[]; readonly blobs: readonly Blob[] },
  page: number,
): ShelfPage | undefined {
  const entries = [
    ...shelf.drops.map((drop) => ({ drop, blob: undefined, atMs: drop.updatedAtMs })),
    ...shelf.blobs.map((blob) => ({ drop: undefined, blob, atMs: blob.createdAtMs })),
  ].sort((one, other) => other.atMs - one.atMs);
  const pageCount = Math.max(1, Math.ceil(entries.length / entriesPerPage));
  if (page < 1 || page > pageCount) return undefined;
  const shown = entries.slice((page - 1) * entriesPerPage, page * entriesPerPage);
  return {
    drops: shown.flatMap(({ drop }) => drop ?? []),
    blobs: shown.flatMap(({ blob }) => blob ?? []),
    pageCount,
  };
}
