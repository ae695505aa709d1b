import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { accessRequests } from "../../../functions/access-requests/store.ts";
import { answerKeysOf } from "../../../functions/answers/items.ts";
import { edgeCache } from "../../../functions/background/edge-cache.ts";
import { tagItem, tagOf } from "../../../functions/background/invalidation.ts";
import { type Blob, blobObjectKey, restrictedFolder } from "../../../functions/blobs/blob.ts";
import { publicFiles } from "../../../functions/blobs/public-files.ts";
import { blobs } from "../../../functions/blobs/store.ts";
import type { Drop } from "../../../functions/drops/drop.ts";
import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { readTrail } from "../../../functions/drops/read-trail.ts";
import { drops } from "../../../functions/drops/store.ts";
import { findKeptDrop, trash } from "../../../functions/drops/trash-store.ts";
import { pageTextPrefix } from "../../../functions/feedback/feedback.ts";
import { feedbackKeysOf } from "../../../functions/feedback/items.ts";
import { folderPrefix } from "../../../functions/folders/folder.ts";
import { folderHostId } from "../../../functions/http/folder-host.ts";
import { blobUrl, folderUrl, rawUrl, type Site } from "../../../functions/http/site.ts";
import { cardsPrefix, reportsPrefix } from "../../../functions/renders/render.ts";
import { renderKey, toRender } from "../../../functions/renders/store.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { appendToAudit } from "../../../functions/table/audit-trail.ts";
import { keys, ranges } from "../../../functions/table/keys.ts";
import { queryAll } from "../../../functions/table/table.ts";
import { deleteItems } from "../../../functions/table/table-writes.ts";
import { quote, type Terminal, yesOption } from "../command.ts";
import { copyBlob, copyDrop, makeCopyFolder } from "../export.ts";
import { requireNotHeld } from "../hold.ts";
import { sendPublic } from "../public-request.ts";
import { defineServiceCommand, type Service } from "../service.ts";
import { findTarget, type Target, toUrl } from "../target.ts";
import { hasVersions, purgeBelow, purgeObject } from "./objects.ts";

export const takedownCommand = defineServiceCommand({
  usage: "takedown <slug or address>",
  summary: "deletes a page or a file for everyone, at once",
  details: `
Deletes all versions, also in S3 and of earlier deletions, invalidates CloudFront's cache, and waits until the public addresses and the
reported one answer 404. Takes an address in any spelling, and prints what it understood. /b/ is a file.

This cannot be undone, and the slug is never used again. A copy is saved in a folder first. Refuses what is on legal hold: use suspend.`,
  options: {
    "copy <folder>": "the folder of the copy (takedown-<slug>)",
    "no-copy": "saves no copy",
    yes: yesOption,
  },
  async run({ word: address, options, service, act, confirm, print, printAll, terminal }) {
    const target = await findTarget(service, address);
    const isPage = target.kind === "page";
    const name = isPage ? target.slug : target.id;
    print(`${address} is ${isPage ? `the page ${name}` : `the file ${name} of ${target.namespace}`}.`);
    const takedown = await findTakedown(service, target);
    if (takedown === undefined) {
      print(`Nothing exists at ${address}. It may be deleted already.`);
      return false;
    }
    await requireNotHeld(takedown.ownerId, isPage ? name : undefined);
    await confirm(name, describe(takedown));
    const problems: string[] = [];
    if (!options["no-copy"]) {
      const folder = await makeCopyFolder(options.copy ?? `takedown-${name}`);
      if (takedown.kind === "page" && takedown.drop)
        problems.push(...(await copyDrop(service, takedown.drop, folder)));
      if (takedown.kind === "file" && takedown.blob) {
        await folder.writeJson(takedown.blob, "file.json");
        problems.push(...(await copyBlob(service.blobsBucket, takedown.blob, folder)));
      }
      printAll(problems, `A copy is in ${folder.path}.`);
    }
    const reported = address === name ? undefined : toUrl(service, address.trim())?.href;
    const all = [...(await publicAddresses(service, takedown)), ...(reported ? [reported] : [])];
    const addresses = [...new Set(all)];
    await takeDown(service, takedown, await act("takedown"));
    print(`${name} is deleted. Waiting until the edge cache is invalidated …`);
    // The response of a request that began before the takedown can be cached after the first invalidation.
    await sleep(service.requestMsMax);
    await forget(takedown);
    const isGone = await waitUntilGone(addresses, terminal);
    if (isGone) print(`${name} is gone: ${addresses.length} addresses answer 404.`);
    // Damaged content is taken down all the same.
    return isGone && problems.length === 0;
  },
});

/** What is taken down. The drop and the blob are undefined if they are deleted already, and the file's owner if the account is gone. */
type Takedown =
  | { kind: "page"; slug: string; namespace: string; ownerId: string; drop: Drop | undefined }
  | { kind: "file"; id: string; namespace: string; ownerId: string | undefined; blob: Blob | undefined };

function describe(takedown: Takedown): string {
  if (takedown.kind === "file") {
    const { id, namespace, blob } = takedown;
    if (blob === undefined) return `The rest of the file ${id} of ${namespace} will be deleted.`;
    return `The file ${blob.id}, ${blob.filename}, of ${blob.namespace} will be deleted.`;
  }
  const { drop, slug } = takedown;
  if (drop === undefined) return `The rest of the page ${slug} will be deleted.`;
  return `The page ${slug}, ${quote(drop.title)}, of ${drop.namespace} will be deleted with its ${drop.versionCount} versions.`;
}

/** Finds what exists at the target, with deleted objects that S3 keeps; undefined for nothing. */
async function findTakedown(service: Service, target: Target): Promise<Takedown | undefined> {
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

/** Deletes a page or a file with all that S3 keeps of it. It can be run again after a failure. */
async function takeDown(service: Service, takedown: Takedown, act: Act): Promise<void> {
  if (takedown.kind === "file") {
    const { namespace, ownerId, id: blobId } = takedown;
    // The file was deleted before, so no transaction has written a line in the audit trail.
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

/** Deletes a drop, in the trash too, until it is gone: it may be moved meanwhile. Returns false if it was gone already. */
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

function forget(takedown: Takedown): Promise<void> {
  return edgeCache.invalidate({ items: [tagItem(tagOf(takedown))], reference: randomUUID() });
}

/** Public addresses, which may be in the edge's cache. */
async function publicAddresses(site: Site, takedown: Takedown): Promise<string[]> {
  if (takedown.kind === "file") return [blobUrl(site, takedown.namespace, takedown.id)];
  const { slug, drop } = takedown;
  const listed = await publicDrops.listVersions(slug);
  const page = `${site.baseUrl}/p/${slug}`;
  const raws = [`${page}/raw`, ...(drop ? [rawUrl(site, drop.namespace, slug)] : [])];
  const folders = listed.flatMap(({ version, folder }) => (folder === undefined ? [] : [version]));
  const id = folderHostId(slug);
  return [
    page,
    ...[undefined, ...folders].flatMap((version) => folderUrl(site, { id, version }) ?? []),
    ...raws.flatMap((raw) => [raw, ...listed.map(({ version }) => `${raw}?v=${version}`)]),
  ];
}

/** An invalidation takes CloudFront one or two minutes. */
const waitMsMax = 180_000;

/** Waits until all addresses answer 404 or redirect. Resolves to false if some do not in time, and prints those. */
export async function waitUntilGone(addresses: readonly string[], terminal: Terminal): Promise<boolean> {
  const untilMs = Date.now() + waitMsMax;
  let left = addresses;
  for (;;) {
    const statuses = await Promise.all(left.map(async (address) => (await sendPublic(address)).status));
    left = left.filter((_, index) => statuses[index] !== 404 && statuses[index] !== 308);
    if (left.length === 0) return true;
    if (Date.now() >= untilMs) break;
    await sleep(1_000);
  }
  for (const one of left) terminal.print(`Still visible at ${one}`);
  return false;
}

/** Prefixes of a slug's objects in the bucket of pages: published pages, folders, renders and words. */
const foldersOf = (slug: string) =>
  ["", cardsPrefix, folderPrefix, reportsPrefix, pageTextPrefix].map((prefix) => `${prefix}${slug}/`);

/** Deletes all of a slug that cannot be read, for good. Objects go first, so that the rows still lead to them after a failure. */
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
