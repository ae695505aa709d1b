import { publicDrops } from "../drops/public-drops.ts";
import { ApiError } from "../http/errors.ts";
import { pageOperation } from "../http/page-operation.ts";
import { redirect } from "../http/response.ts";
import { patterns } from "../http/schemas.ts";
import { blobUrl, fetchDestination, type Site } from "../http/site.ts";
import { findReader, mayRead, readerSessions } from "../identity/readers.ts";
import { isOpenToAll } from "../identity/visibility.ts";
import { type FileKey, openFileKey } from "./embedded-files.ts";
import { showEmbeddedFileRoute } from "./file-rows.ts";
import { fileAddress, findReadableFile } from "./public-files.ts";

/**
 * GET /b/{id}/{key}: a file that a page for some readers embeds, for one of them, by the key that was in the page. What they may read
 * is looked up each time. For everybody else, and in a window, this is the file's own address.
 */
export const showEmbeddedFile = pageOperation(showEmbeddedFileRoute, async (input) => {
  const { request, host, path, site, nowMs } = input;
  if (host.kind !== "owner" || !patterns.blobId.test(path.id)) throw new ApiError("not_found");
  const file = { namespace: host.namespace, id: path.id };
  const to = fetchDestination(request);
  // Whoever is given such an address by one of the page's readers opens it in a window, or has a program look at it.
  const isEmbedded = to === "part" || to === "frame";
  const key = isEmbedded ? await openFileKey(file, path.key, nowMs) : undefined;
  const found = key && (await findForReader(file, key, site, nowMs));
  return redirect(found ?? blobUrl(site, file.namespace, file.id));
});

/** Finds a file for the reader of a page of the same owner; undefined when access is denied. */
async function findForReader(
  { namespace, id }: { readonly namespace: string; readonly id: string },
  { slug, session: reference }: FileKey,
  site: Site,
  nowMs: number,
): Promise<string | undefined> {
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
  return fileAddress(site, file, nowMs);
}
