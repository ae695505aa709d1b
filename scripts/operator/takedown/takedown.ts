import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { edgeCache } from "../../../functions/background/edge-cache.ts";
import { tagItem, tagOf } from "../../../functions/background/invalidation.ts";
import { type Blob, blobObjectKey, restrictedFolder } from "../../../functions/blobs/blob.ts";
import { publicFiles } from "../../../functions/blobs/public-files.ts";
import { blobs } from "../../../functions/blobs/store.ts";
import type { Drop } from "../../../functions/drops/drop.ts";
import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { drops } from "../../../functions/drops/store.ts";
import { findKeptDrop, trash } from "../../../functions/drops/trash-store.ts";
import { folderHostId } from "../../../functions/http/folder-host.ts";
import { blobUrl, folderUrl, rawUrl, type Site } from "../../../functions/http/site.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { appendToAudit } from "../../../functions/table/audit-trail.ts";
import { sendPublic } from "../public-request.ts";
import type { Service } from "../service.ts";
import type { Terminal } from "../terminal.ts";
import { hasKeptObjects, purgeVersions } from "./drop-purge.ts";
import { hasVersions, purgeBelow, purgeObject } from "./object-versions.ts";
import type { TakedownTarget } from "./takedown-target.ts";

/** Things to take down. */
export type Takedown =
  | {
      readonly kind: "page";
      readonly slug: string;
      readonly ownerId: string;
      readonly namespace: string;
      readonly drop: Drop | undefined;
    }
  | {
      readonly kind: "file";
      readonly namespace: string;
      readonly id: string;
      /** Undefined where the account is gone. */
      readonly ownerId: string | undefined;
      readonly blob: Blob | undefined;
    };

/** Finds what exists at the target, with deleted objects that S3 keeps; undefined for nothing. */
export async function findTakedown(service: Service, target: TakedownTarget): Promise<Takedown | undefined> {
  if (target.kind === "file") {
    const { namespace, id } = target;
    const blob = await publicFiles.find(namespace, id);
    const ownerId = (await publicFiles.findOwnershipPointer(namespace, id))?.ownerId;
    const isKept = (prefix: string) => hasVersions(service.blobsBucket, prefix);
    const isPartlyThere =
      blob !== undefined ||
      (await isKept(blobObjectKey(namespace, id))) ||
      (await isKept(restrictedFolder(namespace, id)));
    return isPartlyThere ? { kind: "file", namespace, id, ownerId, blob } : undefined;
  }
  const { slug } = target;
  const pointer = await publicDrops.findPointer(slug);
  if (pointer === undefined) return undefined;
  const drop = await publicDrops.findBySlug(slug);
  const isPartlyThere =
    drop !== undefined ||
    (await publicDrops.listVersions(slug)).length > 0 ||
    (await hasKeptObjects(service.pagesBucket, slug));
  const ownerId = drop?.ownerId ?? pointer.ownerId;
  return isPartlyThere ? { kind: "page", slug, namespace: pointer.namespace, ownerId, drop } : undefined;
}

/**
 * Deletes a page or a file for everyone at once, with all that S3 keeps of it. Nothing brings it back. It can be run again after a
 * failure.
 */
export async function takeDown(service: Service, takedown: Takedown, act: Act): Promise<void> {
  if (takedown.kind === "file") {
    const { namespace, ownerId, id: blobId } = takedown;
    // The file was deleted before, so no transaction has written a line in the audit trail.
    if (!(await removeFile(takedown, act))) await appendToAudit(act, { ownerId, blobId });
    await purgeObject(service.blobsBucket, blobObjectKey(namespace, blobId));
    await purgeBelow(service.blobsBucket, restrictedFolder(namespace, blobId));
    return forget(takedown);
  }
  const { ownerId, slug } = takedown;
  if (!(await removeDrop(slug, act))) await appendToAudit(act, { ownerId, slug });
  await forget(takedown);
  await purgeVersions(service.pagesBucket, slug);
}

/**
 * Deletes a drop, in the trash too. It may be transferred or moved meanwhile, so this repeats until it is gone. Returns false if it was
 * gone already.
 */
async function removeDrop(slug: string, act: Act): Promise<boolean> {
  for (let kept = await findKeptDrop(slug); kept !== undefined; kept = await findKeptDrop(slug)) {
    const { ownerId, isTrashed } = kept;
    if (isTrashed && (await trash.purge(ownerId, slug, act))) return true;
    if (!isTrashed && (await drops.remove(ownerId, slug, act)) === "removed") return true;
  }
  return false;
}

async function removeFile(
  { namespace, id }: { readonly namespace: string; readonly id: string },
  act: Act,
): Promise<boolean> {
  const find = () => publicFiles.find(namespace, id);
  for (let blob = await find(); blob !== undefined; blob = await find())
    if (await blobs.remove(blob.ownerId, id, act)) return true;
  return false;
}

/**
 * Invalidates the edge's cache a second time, after every request that began before the takedown has ended: the response
 * of such a request can be cached after the first invalidation.
 */
export async function invalidateAgain(service: Service, takedown: Takedown): Promise<void> {
  await sleep(service.requestMsMax);
  await forget(takedown);
}

function forget(takedown: Takedown): Promise<void> {
  return edgeCache.invalidate({ items: [tagItem(tagOf(takedown))], reference: randomUUID() });
}

/** Public addresses, which may be in the edge's cache. */
export async function publicAddresses(site: Site, takedown: Takedown): Promise<string[]> {
  if (takedown.kind === "file") return [blobUrl(site, takedown.namespace, takedown.id)];
  const { slug, drop } = takedown;
  const listed = await publicDrops.listVersions(slug);
  const versions = listed.map(({ version }) => version);
  const folders = listed.flatMap(({ version, folder }) => (folder === undefined ? [] : [version]));
  const raws = [`${site.baseUrl}/p/${slug}/raw`, ...(drop ? [rawUrl(site, drop.namespace, slug)] : [])];
  const hosts = [undefined, ...folders].flatMap(
    (version) => folderUrl(site, { id: folderHostId(slug), version }) ?? [],
  );
  return [
    `${site.baseUrl}/p/${slug}`,
    ...hosts,
    ...raws.flatMap((raw) => [raw, ...versions.map((v) => `${raw}?v=${v}`)]),
  ];
}

/** An invalidation takes CloudFront one or two minutes. */
const waitMsMax = 180_000;

/**
 * Waits until the edge responds 404 at all addresses, or redirects (each target is checked by itself). Prints the addresses that do
 * not in time, and resolves to false then.
 */
export async function waitUntilGone(addresses: readonly string[], terminal: Terminal): Promise<boolean> {
  const untilMs = Date.now() + waitMsMax;
  let left = addresses;
  for (;;) {
    const responses = await Promise.all(
      left.map(async (address) => ({ address, status: (await sendPublic(address)).status })),
    );
    left = responses.filter(({ status }) => status !== 404 && status !== 308).map(({ address }) => address);
    if (left.length === 0) return true;
    if (Date.now() >= untilMs) break;
    await sleep(1_000);
  }
  for (const one of left) terminal.print(`Still visible at ${one}`);
  return false;
}
