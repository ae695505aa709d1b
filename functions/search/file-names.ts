import type { Drop } from "../drops/drop.ts";
import { canEmbed, toVisibility } from "../policies/access.ts";
import { keys } from "../table/keys.ts";
import { findItems, getItems, type Item } from "../table/table.ts";
import type { IndexedTexts } from "./search-document.ts";
import type { SearchTerm } from "./search-query.ts";
import { hasAnyTerm } from "./snippet.ts";

// A search finds a page by the names of the files that it embeds, if the page's readers may read these files.

/** Maximum number of embedded files of a page whose names are indexed. */
const filesMax = 100;

/** Matches an uploaded file's path in a page. */
const filePath = /\/b\/(?<id>[A-Za-z0-9]{7})(?![A-Za-z0-9])/g;

/** Reads the names of a page's files, one per line, and the files' ids in the same order. */
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

/**
 * Returns true if the page's readers may read the file. Readers of a restricted page may also read its restricted files;
 * see docs/adr/0051-restricted-files.md.
 */
function isReadWith(item: Item, drop: Drop, nowMs: number): boolean {
  const expiresAtMs = item.expiresAtMs as number | undefined;
  return canEmbed({ ownerId: drop.ownerId, visibility: toVisibility(item), expiresAtMs }, drop, nowMs);
}

/**
 * Looks up the files whose indexed names match. Returns the names that readers may still see. `areGone` is true if readers may no longer see
 * some of the matching names. A file may have expired, or been deleted or restricted, without a change of the page.
 */
export async function presentNames(
  all: readonly (Pick<IndexedTexts, "files" | "fileIds"> & { readonly drop: Drop })[],
  terms: readonly SearchTerm[],
  nowMs: number,
): Promise<{ readonly files: string; readonly areGone: boolean }[]> {
  const named = all.map(({ drop, files, fileIds }) =>
    files.split("\n").flatMap((name, index) => {
      const id = fileIds[index];
      return id !== undefined && hasAnyTerm(name, terms) ? [{ name, key: keys.blob(drop.ownerId, id) }] : [];
    }),
  );
  const find = await findItems(named.flatMap((ofDrop) => ofDrop.map(({ key }) => key)));
  return all.map(({ drop }, index) => {
    const before = named[index] ?? [];
    const now = before.filter(({ key }) => {
      const item = find(key);
      return item !== undefined && isReadWith(item, drop, nowMs);
    });
    return { files: now.map(({ name }) => name).join("\n"), areGone: now.length < before.length };
  });
}
