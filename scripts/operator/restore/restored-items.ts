import { mapInParallel } from "../../../functions/administration/accounts.ts";
import {
  deleteVersions,
  listVersions,
  type ObjectVersion,
} from "../../../functions/administration/stored-objects.ts";
import { answerCounts } from "../../../functions/answers/answer-counts.ts";
import { toAnswerLog } from "../../../functions/answers/items.ts";
import { toBlob } from "../../../functions/blobs/store.ts";
import { objectKeysOf } from "../../../functions/drops/drop.ts";
import { toVersion } from "../../../functions/drops/items.ts";
import { toFeedbackCounts, toThread } from "../../../functions/feedback/items.ts";
import { type Key, keys, parseKey, ranges } from "../../../functions/table/keys.ts";
import { suspendedAttribute } from "../../../functions/table/suspension.ts";
import { getItem, queryAll, RetryableError, retryConflicts } from "../../../functions/table/table.ts";
import { isUnchanged, updateItem } from "../../../functions/table/table-writes.ts";
import type { Service } from "../service.ts";
import type { StoredItem } from "../table-reads.ts";

/** Finds the pages of versions. Throws if a page is permanently deleted. */
export async function requirePages(service: Service, versions: readonly StoredItem[]): Promise<KeptObjects> {
  const { losses, objects } = await sortPages(service, versions);
  if (losses[0] !== undefined) throw new Error(`${losses[0]} Nothing has been restored.`);
  return objects;
}

/** Separates versions whose objects are still in S3 from versions whose objects are lost. */
export function sortPages({ pagesBucket }: Service, versions: readonly StoredItem[]) {
  return sortItems(pagesBucket, versions, (item) => {
    const version = toVersion(item);
    const loss = `The page ${version.pageKey} is permanently deleted: ${pagesBucket} has no version of this object.`;
    return { objectKeys: objectKeysOf(version), loss };
  });
}

/** Separates files whose objects are still in S3 from files whose objects are lost. */
export function sortFiles({ blobsBucket }: Service, files: readonly StoredItem[]) {
  return sortItems(blobsBucket, files, (item) => {
    const { id, filename, objectKey } = toBlob(item);
    return { objectKeys: [objectKey], loss: `The file ${id} (${filename}) is permanently deleted.` };
  });
}

/** Separates items whose objects are still in S3 from items whose objects are lost. Returns a message for each lost item. */
async function sortItems(
  bucket: string,
  items: readonly StoredItem[],
  read: (item: StoredItem) => { readonly objectKeys: readonly string[]; readonly loss: string },
) {
  const all = items.map((item) => ({ item, ...read(item) }));
  const wanted = all.flatMap(({ objectKeys }) => objectKeys);
  const objects = await findKeptObjects(bucket, new Set(wanted));
  const isKept = ({ objectKeys }: (typeof all)[number]) => objectKeys.every((key) => objects.keys.has(key));
  const kept = all.filter(isKept).map(({ item }) => item);
  const lost = all.filter((one) => !isKept(one));
  return { kept, lost: lost.map(({ item }) => item), losses: lost.map(({ loss }) => loss), objects };
}

/** Returns true for the table item of a version. */
export function isVersion(key: Key): boolean {
  return parseKey(key)?.kind === "version";
}

/** Returns true for the table item of a file. */
export function isFile(key: Key): boolean {
  return parseKey(key)?.kind === "blob";
}

/** Object versions in S3 for the items to restore. */
type KeptObjects = Awaited<ReturnType<typeof findKeptObjects>>;

/** Maximum number of objects in one request; see "DeleteObjects", Amazon S3 API reference. */
const deletedAtOnceMax = 1_000;

/** Finds the object versions in S3, without changing them. Lists the prefix of each drop and of each owner once. */
async function findKeptObjects(bucket: string, wanted: ReadonlySet<string>) {
  const folders = new Set([...wanted].map((key) => key.slice(0, key.lastIndexOf("/") + 1)));
  const versions: ObjectVersion[] = [];
  await mapInParallel(folders, async (folder) => {
    for await (const found of listVersions(bucket, folder))
      versions.push(...found.filter(({ key }) => wanted.has(key)));
  });
  const stored = new Set(versions.filter(({ isDeleteMarker }) => !isDeleteMarker).map(({ key }) => key));
  const markers = versions.filter(({ isDeleteMarker }) => isDeleteMarker);
  const deleted = new Set(markers.filter(({ isLatest }) => isLatest).map(({ key }) => key));
  return {
    bucket,
    /** Keys of the objects in S3, including deleted objects that still have a version. */
    keys: stored,
    /** Delete markers of deleted objects that still have a version. */
    deleteMarkers: markers.filter(({ key }) => stored.has(key) && deleted.has(key)),
  };
}

/** Undoes deletions by removing all delete markers. A retried deletion leaves several markers. Throws if S3 did not remove them all. */
export async function removeDeleteMarkers({ bucket, deleteMarkers }: KeptObjects): Promise<void> {
  const left: string[] = [];
  for (let start = 0; start < deleteMarkers.length; start += deletedAtOnceMax)
    left.push(...(await deleteVersions(bucket, deleteMarkers.slice(start, start + deletedAtOnceMax))));
  if (left.length > 0)
    throw new Error(`S3 left ${left.length} delete markers in ${bucket}: ${left[0]}. Run the command again.`);
}

/** Moves restored items to their current owners, because items that were transferred after the backup would otherwise exist twice. */
export function toCurrentOwners(items: readonly StoredItem[]): Promise<StoredItem[]> {
  return mapInParallel(items, async (item) => {
    const { slug, revision } = item;
    const isDrop = typeof slug === "string" && typeof revision === "number";
    // Increases the revision, because a drop of revision 1 would cause a publication event; see docs/adr/0072-events-and-webhooks.md.
    return { ...(await toCurrentKey(item)), ...(isDrop ? { revision: revision + 1 } : {}) };
  });
}

async function toCurrentKey(item: StoredItem): Promise<StoredItem> {
  const { pk, sk } = item;
  const pointer = pointerOf(item);
  const live = pointer && (await getItem(pointer));
  if (live?.ownerId === undefined) return item;
  if (pk !== pointer?.pk || sk !== pointer.sk) return moveToOwner(item, live.ownerId as string);
  // The item is the pointer itself. Keeps its current `transferCount`, because this count must never decrease.
  const { [suspendedAttribute]: mark, ...rest } = item;
  const isMoved = live.ownerId !== item.ownerId;
  const suspension = isMoved || mark === undefined ? {} : { [suspendedAttribute]: mark };
  return { ...rest, ...suspension, ownerId: live.ownerId, transferCount: live.transferCount };
}

/** Moves an item to its owner's partition. The item of a drop's view count has no namespace. */
async function moveToOwner(item: StoredItem, ownerId: string): Promise<StoredItem> {
  const account = keys.account(ownerId);
  if (item.pk === account.pk) return item;
  const { ownerNamespace: _, ...rest } = item;
  const namespace = (await getItem(account))?.namespace;
  const isMoved = item.slug !== undefined && namespace !== item.namespace;
  return { ...rest, pk: account.pk, ownerNamespace: isMoved ? namespace : undefined };
}

/** Key of the pointer that contains an item's owner. The item may be the pointer itself. */
function pointerOf({ pk, sk, namespace }: StoredItem): Key | undefined {
  const files = ranges.blobs("").prefix;
  if (pk.startsWith(keys.account("").pk)) {
    for (const { prefix } of [ranges.drops(""), ranges.trashedDrops("")])
      if (sk.startsWith(prefix)) return keys.pointer(sk.slice(prefix.length).split("#")[0] ?? "");
    return sk.startsWith(files) ? keys.filePointer(String(namespace), sk.slice(files.length)) : undefined;
  }
  const isPointer = sk === keys.pointer("").sk || sk.startsWith(ranges.filePointers("").prefix);
  return isPointer ? { pk, sk } : undefined;
}

/** Returns true for items that contain the last number of comments, threads or answers. A lower number must not replace a higher one. */
export function isCounterItem({ pk, sk }: Key): boolean {
  return [keys.feedback("").sk, keys.answers("").sk].includes(sk) && /^(SLUG|USER)#/.test(pk);
}

/** Restores last numbers unless the current ones are higher, because a number that is used twice would hide a comment or answer. */
export async function raiseNumbers(items: readonly StoredItem[]): Promise<void> {
  for (const item of items) {
    const { pk, sk, sequence, writtenAtMs = 0 } = item;
    const slug = pk.startsWith("SLUG#") ? pk.slice("SLUG#".length) : undefined;
    if (slug !== undefined && sk === keys.answers("").sk)
      await answerCounts.recount(slug, Date.now(), { last: toAnswerLog(item).last });
    else if (slug !== undefined) await correctFeedbackCounts(slug, toFeedbackCounts(item).lastThread);
    else
      await updateItem({
        key: { pk, sk },
        update: "SET #sequence = :sequence, writtenAtMs = :at",
        condition: "attribute_not_exists(pk) OR #sequence < :sequence",
        names: { "#sequence": "sequence" },
        values: { ":sequence": sequence, ":at": writtenAtMs },
      });
  }
}

/** Corrects a drop's thread counts after threads were restored, so that new threads get unused numbers. */
export async function correctFeedbackCounts(slug: string, lastThread = 0): Promise<void> {
  await retryConflicts(async () => {
    const before = await getItem(keys.feedback(slug));
    const seen = toFeedbackCounts(before);
    const threads = (await queryAll(ranges.threads(slug))).map(toThread);
    const sameCounts = before ? " AND threadCount = :seenThreads AND openCount = :seenOpen" : "";
    const { updated } = await updateItem({
      key: keys.feedback(slug),
      update: "SET threadCount = :threads, openCount = :open, lastThread = :last",
      condition: `${isUnchanged("lastThread", before && seen.lastThread)}${sameCounts}`,
      values: {
        ":threads": threads.length,
        ":open": threads.filter(({ state }) => state === "open").length,
        ":last": Math.max(lastThread, seen.lastThread, ...threads.map(({ thread }) => thread)),
        ...(before && {
          ":seen": seen.lastThread,
          ":seenThreads": seen.threads,
          ":seenOpen": seen.openThreads,
        }),
      },
    });
    if (!updated) throw new RetryableError(`Readers of ${slug} are writing comments. Run the command again.`);
  });
}
