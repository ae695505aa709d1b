import { toBlob } from "../../../functions/blobs/store.ts";
import { objectKeysOf } from "../../../functions/drops/drop.ts";
import { toVersion } from "../../../functions/drops/items.ts";
import { type Key, parseKey } from "../../../functions/table/keys.ts";
import type { Service } from "../service.ts";
import type { StoredItem } from "../table-reads.ts";
import { findKeptObjects, type KeptObjects } from "./kept-objects.ts";

/** Rows of a restored table: those whose objects are kept, and the others, which would point at nothing. */
export interface SortedRows {
  readonly kept: readonly StoredItem[];
  readonly lost: readonly StoredItem[];
  /** A line for each lost row. */
  readonly losses: readonly string[];
  /** Objects of the restored rows, which are restored first. */
  readonly objects: KeptObjects;
}

/**
 * Finds the pages of versions.
 *
 * @throws Error if one of them is gone for good
 */
export async function requirePages(service: Service, versions: readonly StoredItem[]): Promise<KeptObjects> {
  const { losses, objects } = await sortPages(service, versions);
  if (losses[0] !== undefined) throw new Error(`${losses[0]} Nothing has been restored.`);
  return objects;
}

/** The rows of versions. */
export function sortPages({ pagesBucket }: Service, versions: readonly StoredItem[]): Promise<SortedRows> {
  return sortRows(pagesBucket, versions, (item) => {
    const version = toVersion(item);
    return {
      objectKeys: objectKeysOf(version),
      loss: `The page ${version.pageKey} is gone for good: ${pagesBucket} has no version of it.`,
    };
  });
}

/** The rows of files. */
export function sortFiles({ blobsBucket }: Service, files: readonly StoredItem[]): Promise<SortedRows> {
  return sortRows(blobsBucket, files, (item) => {
    const { id, filename, objectKey } = toBlob(item);
    return { objectKeys: [objectKey], loss: `The file ${id} (${filename}) is gone for good.` };
  });
}

async function sortRows(
  bucket: string,
  items: readonly StoredItem[],
  read: (item: StoredItem) => { readonly objectKeys: readonly string[]; readonly loss: string },
): Promise<SortedRows> {
  const rows = items.map((item) => ({ item, ...read(item) }));
  const objects = await findKeptObjects(
    bucket,
    rows.flatMap(({ objectKeys }) => objectKeys),
  );
  const isKept = ({ objectKeys }: (typeof rows)[number]) => objectKeys.every((key) => objects.keys.has(key));
  const lost = rows.filter((row) => !isKept(row));
  return {
    kept: rows.filter(isKept).map(({ item }) => item),
    lost: lost.map(({ item }) => item),
    losses: lost.map(({ loss }) => loss),
    objects,
  };
}

/** Recognizes a version's row. */
export function isVersion(key: Key): boolean {
  return parseKey(key)?.kind === "version";
}

/** Recognizes a file's row. */
export function isFile(key: Key): boolean {
  return parseKey(key)?.kind === "blob";
}
