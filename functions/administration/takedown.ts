import { randomUUID } from "node:crypto";
import { accessRequests } from "../access-requests/store.ts";
import { answerKeysOf } from "../answers/items.ts";
import { edgeCache } from "../background/edge-cache.ts";
import { tagItem, tagOf } from "../background/invalidation.ts";
import { type Blob, blobObjectKey, restrictedFolder } from "../blobs/blob.ts";
import { publicFiles } from "../blobs/public-files.ts";
import { blobs } from "../blobs/store.ts";
import type { Drop } from "../drops/drop.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { readTrail } from "../drops/read-trail.ts";
import { drops } from "../drops/store.ts";
import { findKeptDrop, trash } from "../drops/trash-store.ts";
import { pageTextPrefix } from "../feedback/feedback.ts";
import { feedbackKeysOf } from "../feedback/items.ts";
import { folderPrefix } from "../folders/folder.ts";
import { cardsPrefix, reportsPrefix } from "../renders/render.ts";
import { renderKey, toRender } from "../renders/store.ts";
import type { Act } from "../table/audit.ts";
import { appendToAudit } from "../table/audit-trail.ts";
import { keys, ranges } from "../table/keys.ts";
import { queryAll } from "../table/table.ts";
import { deleteItems } from "../table/table-writes.ts";
import { hasVersions, purgeBelow, purgeObject } from "./stored-objects.ts";
import type { Target } from "./targets.ts";

/** Names of the S3 buckets. */
interface Buckets {
  readonly blobsBucket: string;
  readonly pagesBucket: string;
}

/** A page or file to take down. `drop` and `blob` are undefined after a deletion, `ownerId` after the deletion of the file's account. */
export type Takedown =
  | { kind: "page"; slug: string; namespace: string; ownerId: string; drop: Drop | undefined }
  | { kind: "file"; id: string; namespace: string; ownerId: string | undefined; blob: Blob | undefined };

/** Finds the page or file of a target, even if only versions of deleted objects are left in S3. Returns undefined if nothing is left. */
export async function findTakedown(service: Buckets, target: Target): Promise<Takedown | undefined> {
  if (target.kind === "file") {
    const { namespace, id } = target;
    const blob = await publicFiles.find(namespace, id);
    const ownerId = (await publicFiles.findOwnershipPointer(namespace, id))?.ownerId;
    const isKept = (prefix: string) => hasVersions(service.blobsBucket, prefix);
    const isPartlyThere =
      blob !== undefined ||
      (await isKept(blobObjectKey(namespace, id))) ||
      (await isKept(restrictedFolder(namespace, id)));
    return isPartlyThere ? { ...target, ownerId, blob } : undefined;
  }
  const { slug } = target;
  const pointer = await publicDrops.findPointer(slug);
  if (pointer === undefined) return undefined;
  const drop = await publicDrops.findBySlug(slug);
  let isPartlyThere = drop !== undefined || (await publicDrops.listVersions(slug)).length > 0;
  for (const folder of foldersOf(slug)) isPartlyThere ||= await hasVersions(service.pagesBucket, folder);
  const ownerId = drop?.ownerId ?? pointer.ownerId;
  return isPartlyThere ? { ...target, namespace: pointer.namespace, ownerId, drop } : undefined;
}

/** Deletes a page or a file, and all its object versions in S3. Can be repeated after a failure. */
export async function takeDown(service: Buckets, takedown: Takedown, act: Act): Promise<void> {
  if (takedown.kind === "file") {
    const { namespace, ownerId, id: blobId } = takedown;
    // Writes the audit entry here if the file was already deleted, because `removeFile` then writes no entry.
    if (!(await removeFile(namespace, blobId, act))) await appendToAudit(act, { ownerId, blobId });
    await purgeObject(service.blobsBucket, blobObjectKey(namespace, blobId));
    await purgeBelow(service.blobsBucket, restrictedFolder(namespace, blobId));
    return forget(takedown);
  }
  const { ownerId, slug } = takedown;
  if (!(await removeDrop(slug, act))) await appendToAudit(act, { ownerId, slug });
  await forget(takedown);
  await purgeVersions(service.pagesBucket, slug);
}

/** Deletes a drop, even while it is moved to or from the trash. Returns false if the drop did not exist. */
async function removeDrop(slug: string, act: Act): Promise<boolean> {
  for (let kept = await findKeptDrop(slug); kept !== undefined; kept = await findKeptDrop(slug)) {
    const { ownerId, isTrashed } = kept;
    if (isTrashed && (await trash.purge(ownerId, slug, act))) return true;
    if (!isTrashed && (await drops.remove(ownerId, slug, act)) === "removed") return true;
  }
  return false;
}

async function removeFile(namespace: string, id: string, act: Act): Promise<boolean> {
  const find = () => publicFiles.find(namespace, id);
  for (let blob = await find(); blob !== undefined; blob = await find())
    if (await blobs.remove(blob.ownerId, id, act)) return true;
  return false;
}

/** Invalidates the cached responses of a page or file that was taken down. */
export function forget(takedown: Takedown): Promise<void> {
  return edgeCache.invalidate({ items: [tagItem(tagOf(takedown))], reference: randomUUID() });
}

/** Returns the prefixes of a slug's objects in the pages bucket: published pages, folders, renders and search text. */
const foldersOf = (slug: string) =>
  ["", cardsPrefix, folderPrefix, reportsPrefix, pageTextPrefix].map((prefix) => `${prefix}${slug}/`);

/** Permanently deletes all data of a deleted drop. Deletes the objects first, so that the table still refers to them after a failure. */
export async function purgeVersions(pagesBucket: string, slug: string): Promise<void> {
  const versions = await publicDrops.listVersions(slug);
  const renders = (await queryAll(ranges.renders(slug))).map(toRender);
  for (const folder of foldersOf(slug)) await purgeBelow(pagesBucket, folder);
  await deleteItems([
    ...versions.map(({ version }) => keys.version(slug, version)),
    ...renders.map(renderKey),
    ...(await feedbackKeysOf(slug)),
    ...(await answerKeysOf(slug)),
  ]);
  await accessRequests.removeOf(slug);
  await readTrail.removeOf(slug);
}
