import type { Drop } from "../drops/drop.ts";
import { isExpired, isOpenToAll, toVisibility } from "../identity/visibility.ts";
import { keys } from "../table/keys.ts";
import { findItems, getItems, type Item } from "../table/table.ts";
import type { IndexedTexts } from "./search-document.ts";
import type { SearchTerm } from "./search-query.ts";
import { hasAnyTerm } from "./snippet.ts";

// A page is found by the names of its owner's files that it shows, and that its readers may read.

/** Files whose names are found with a page. */
const filesMax = 100;

/** The path of a file in a page. */
const filePath = /\/b\/(?<id>[A-Za-z0-9]{7})(?![A-Za-z0-9])/g;

/** The names of the files that a page shows, a line each, with their ids in the same order. */
export async function readFileNames(
  drop: Drop,
  html: string,
  nowMs: number,
): Promise<Pick<IndexedTexts, "files" | "fileIds">> {
  const ids = new Set(Array.from(html.matchAll(filePath), ({ groups = {} }) => groups.id as string));
  const items = await getItems([...ids].slice(0, filesMax).map((id) => keys.blob(drop.ownerId, id)));
  const named = items.filter((item) => isReadWith(item, drop, nowMs));
  return {
    files: named.map(({ filename }) => String(filename).replaceAll("\n", " ")).join("\n"),
    fileIds: named.map(({ sk }) => String(sk).slice(keys.blob("", "").sk.length)),
  };
}

/** Readers of a restricted page get keys to its files: docs/adr/0051-file-visibility.md. */
function isReadWith(item: Item, drop: Drop, nowMs: number): boolean {
  const file = { visibility: toVisibility(item), expiresAtMs: item.expiresAtMs as number | undefined };
  return !isExpired(file, nowMs) && (isOpenToAll(file) || !isOpenToAll(drop));
}

/**
 * Reads the files in whose names words were found, and leaves the other names out. A file may have expired since its name was indexed, or been
 * deleted or restricted: no change of the page tells of that.
 */
export async function withPresentNames<Found extends { readonly drop: Drop; readonly texts: IndexedTexts }>(
  all: readonly Found[],
  terms: readonly SearchTerm[],
  nowMs: number,
): Promise<(Found & { readonly areNamesGone: boolean })[]> {
  const named = all.map(({ texts: { files, fileIds } }) =>
    files
      .split("\n")
      .flatMap((name, index) => (hasAnyTerm(name, terms) ? [{ name, id: fileIds[index] as string }] : [])),
  );
  const keysOfNamed = all.flatMap(({ drop }, index) =>
    (named[index] ?? []).map(({ id }) => keys.blob(drop.ownerId, id)),
  );
  const find = await findItems(keysOfNamed);
  return all.map((found, index) => {
    const before = named[index] ?? [];
    const now = before.filter(({ id }) => {
      const item = find(keys.blob(found.drop.ownerId, id));
      return item !== undefined && isReadWith(item, found.drop, nowMs);
    });
    const texts = { ...found.texts, files: now.map(({ name }) => name).join("\n") };
    return { ...found, texts, areNamesGone: now.length < before.length };
  });
}
