import { publicDrops } from "../drops/public-drops.ts";
import type { fetchDestination, Site } from "../http/site.ts";
import { findReader, mayRead, readerSessions } from "../identity/readers.ts";
import { isOpenToAll } from "../identity/visibility.ts";
import { openFileKey } from "./embedded-files.ts";
import { fileAddress, filePath, findReadableFile } from "./public-files.ts";

/** A request for a file by the key that was in a page. */
interface EmbeddedRequest {
  readonly key: string;
  readonly to: ReturnType<typeof fetchDestination>;
  readonly site: Site;
  readonly nowMs: number;
}

/**
 * Finds a file for the reader of a page of the same owner, and returns its signed address; undefined when access is denied. Someone who is
 * given an address with a key opens it in a window, or by a program.
 */
export async function findEmbeddedFile(
  { namespace, id }: { readonly namespace: string; readonly id: string },
  { key: sealed, to, site, nowMs }: EmbeddedRequest,
): Promise<string | undefined> {
  const isEmbedded = to === "part" || to === "frame";
  const key = isEmbedded ? await openFileKey({ namespace, id }, sealed, nowMs) : undefined;
  if (key === undefined) return undefined;
  const { slug, session: reference } = key;
  const [pointer, file, session] = await Promise.all([
    publicDrops.findPointer(slug),
    findReadableFile(namespace, id, nowMs),
    readerSessions.find(reference, nowMs),
  ]);
  if (file === undefined || session === undefined) return undefined;
  const [drop, reader] = await Promise.all([
    publicDrops.findShownDrop(pointer, slug, nowMs),
    findReader(session),
  ]);
  const isOfOneOwner = drop !== undefined && drop.ownerId === file.ownerId;
  // Opened to all, a page shows what its files' own visibility says.
  if (!isOfOneOwner || isOpenToAll(drop) || !mayRead(drop, reader)) return undefined;
  return fileAddress(site, file, nowMs, `${filePath(file)}?key=${sealed}`);
}
