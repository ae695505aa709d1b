import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { blobUrl, rawUrl, type Site } from "../../functions/domain/addresses.ts";
import type { Blob } from "../../functions/domain/blob.ts";
import type { Drop } from "../../functions/domain/drop.ts";
import type { KeptByEdge } from "../../functions/domain/invalidation.ts";
import { toBlob } from "../../functions/store/blob-items.ts";
import { blobs } from "../../functions/store/blobs.ts";
import { drops } from "../../functions/store/drops.ts";
import { edgeCache } from "../../functions/store/edge-cache.ts";
import { keys } from "../../functions/store/keys.ts";
import { removeObjects } from "../../functions/store/object-removal.ts";
import { served } from "../../functions/store/served.ts";
import { getItem } from "../../functions/store/table.ts";
import { purgeVersions } from "./drop-purge.ts";
import { sendPublic } from "./public-request.ts";
import type { Service } from "./service.ts";
import type { TakedownTarget } from "./takedown-target.ts";

/** What is there to be taken down. */
export type Takedown =
  | {
      readonly kind: "page";
      readonly slug: string;
      readonly ownerId: string;
      readonly namespace: string;
      readonly drop: Drop | undefined;
    }
  | { readonly kind: "file"; readonly blob: Blob };

/** What is at the target, or undefined where there is nothing, or nothing any more. */
export async function findTakedown(target: TakedownTarget): Promise<Takedown | undefined> {
  if (target.kind === "file") {
    const owner = await getItem(keys.namespace(target.namespace));
    const item = owner && (await getItem(keys.blob(String(owner.userId), target.id)));
    return item && { kind: "file", blob: toBlob(item) };
  }
  const { slug } = target;
  const pointer = await served.findPointer(slug);
  if (pointer === undefined) return undefined;
  const drop = await drops.find(pointer.ownerId, slug);
  const isPartlyThere = drop !== undefined || (await served.listVersions(slug)).length > 0;
  return isPartlyThere ? { kind: "page", slug, ...pointer, drop } : undefined;
}

/** Takes it down: for everyone at once, with everything that lies behind it. May be done again if it ends half-way. */
export async function takeDown(service: Service, takedown: Takedown): Promise<void> {
  if (takedown.kind === "file") {
    const { ownerId, id, objectKey } = takedown.blob;
    await blobs.remove(ownerId, id);
    await removeObjects(service.blobsBucket, [objectKey]);
    return forget(takedown);
  }
  const { ownerId, slug } = takedown;
  await drops.remove(ownerId, slug);
  await forget(takedown);
  await purgeVersions(service.pagesBucket, slug);
}

/**
 * Makes the edge forget it once more, when no request is under way any more that had begun before: its answer would
 * have come into the edge's cache after the first time.
 */
export async function forgetAgain(service: Service, takedown: Takedown): Promise<void> {
  await sleep(service.requestMsMax);
  await forget(takedown);
}

function forget(takedown: Takedown): Promise<void> {
  const kept: KeptByEdge =
    takedown.kind === "file"
      ? { kind: "file", ...takedown.blob }
      : { kind: "page", slug: takedown.slug, namespace: takedown.namespace };
  return edgeCache.invalidate({ paths: edgeCache.pathsOf(kept), reference: randomUUID() });
}

/** The addresses at which it was to be seen, and at which the edge may still have it. */
export async function publicAddresses(site: Site, takedown: Takedown): Promise<string[]> {
  if (takedown.kind === "file") return [blobUrl(site, takedown.blob.namespace, takedown.blob.id)];
  const { slug, drop } = takedown;
  const versions = (await served.listVersions(slug)).map(({ version }) => version);
  const raws = [`${site.baseUrl}/p/${slug}/raw`, ...(drop ? [rawUrl(site, drop.namespace, slug)] : [])];
  return [
    `${site.baseUrl}/p/${slug}`,
    ...raws.flatMap((raw) => [raw, ...versions.map((v) => `${raw}?v=${v}`)]),
  ];
}

/**
 * Waits until the edge answers 404 at all addresses, or sends to another, which is looked at for itself; returns those
 * where it does not in time.
 */
export async function waitUntilGone(addresses: readonly string[], waitMsMax: number): Promise<string[]> {
  const untilMs = Date.now() + waitMsMax;
  let left = [...addresses];
  for (;;) {
    const answers = await Promise.all(
      left.map(async (address) => ({ address, status: (await sendPublic(address)).status })),
    );
    left = answers.filter(({ status }) => status !== 404 && status !== 308).map(({ address }) => address);
    if (left.length === 0 || Date.now() >= untilMs) return left;
    await sleep(1_000);
  }
}
