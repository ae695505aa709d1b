import { HeadObjectCommand, NotFound } from "@aws-sdk/client-s3";
import { toBlob } from "../../functions/blobs/store.ts";
import { contextKey } from "../../functions/drops/drop.ts";
import { toVersion } from "../../functions/drops/items.ts";
import { s3 } from "../../functions/drops/page-objects.ts";
import type { Act } from "../../functions/platform/audit.ts";
import { appendToAudit } from "../../functions/platform/audit-trail.ts";
import { type Key, keys, parseKey } from "../../functions/platform/keys.ts";
import { isSuspended, suspendedAttribute } from "../../functions/platform/suspension.ts";
import { fromAttributes, getItem, type Item } from "../../functions/platform/table.ts";
import { compareCounts } from "./counts.ts";
import type { Service } from "./service.ts";
import { putItems, type RawItem, readPartition, readTable } from "./table-copy.ts";

/** What a restoration brought back. */
export interface Restored {
  readonly itemCount: number;
  /** What could not be brought back: a line each. */
  readonly losses: readonly string[];
}

/**
 * Brings a deleted drop back from another table, with its versions and its count of views.
 *
 * @throws Error when the backup has no such drop, it is there, its account is not or is suspended, or a page is not in the bucket
 */
export async function restoreDrop(service: Service, from: string, slug: string, act: Act): Promise<Restored> {
  const found = await findDrop(from, slug);
  const { ownerId } = found;
  if (await getItem(keys.drop(ownerId, slug))) throw new Error(`The drop ${slug} is there.`);
  const account = await getItem(keys.account(ownerId));
  if (account === undefined || account.deletingAtMs !== undefined)
    throw new Error(`The account ${ownerId}, whose drop ${slug} is, is not there: restore it instead.`);
  if (isSuspended(account))
    throw new Error(`The account ${ownerId}, whose drop ${slug} is, is suspended: unsuspend it first.`);
  await requirePages(service, found.versions);
  // Of a time when the account was suspended, which it is not now.
  const { [suspendedAttribute]: _, ...pointer } = found.pointer;
  await appendToAudit(act, { ownerId, slug });
  // The drop last: it leads to the others.
  await putItems([...found.versions, pointer, ...found.drop]);
  await compareCounts(ownerId, true);
  return { itemCount: found.versions.length + found.drop.length + 1, losses: [] };
}

/**
 * Brings a deleted account back from another table, with its drops, and those of its files whose bytes are there. Its
 * tokens stay gone: the person signs in again.
 *
 * @throws Error when the backup has no such account, it is there, or its person is banned or has another one by now
 */
export async function restoreAccount(
  service: Service,
  from: string,
  userId: string,
  act: Act,
): Promise<Restored> {
  const partition = await readPartition(from, keys.account(userId).pk);
  const profile = partition.map(plain).find(({ sk }) => sk === keys.account(userId).sk);
  if (profile === undefined) throw new Error(`The table ${from} has no account ${userId}.`);
  const identity = keys.identity(profile.provider as string, profile.providerId as string);
  await requireFree(userId, identity);
  const slugs = partition.map((item) => parseKey(plain(item) as unknown as Key)).flatMap(slugOf);
  const drops = await Promise.all(slugs.map((slug) => findDrop(from, slug)));
  const versions = drops.flatMap((drop) => drop.versions);
  await requirePages(service, versions);
  const { kept, losses } = await sortFiles(service, partition);
  const rest = partition.filter((item) => /^(DROP#|PROFILE$)/.test(String(plain(item).sk)));
  const roots = [
    ...(await readPartition(from, keys.namespace(profile.namespace as string).pk)),
    ...(await readPartition(from, identity.pk)),
  ];
  const items = [...versions, ...drops.map(({ pointer }) => pointer), ...kept, ...rest, ...roots];
  await appendToAudit(act, { ownerId: userId });
  await putItems(items);
  await compareCounts(userId, true);
  return { itemCount: items.length, losses };
}

/**
 * Puts everything of another table over what is there, but for what lasts a day at most, and the keys of cookies: those
 * that were rotated out since must not be good again.
 */
export async function restoreEverything(
  from: string,
  act: Act,
  tell: (line: string) => void,
): Promise<Restored> {
  await appendToAudit(act, {});
  let itemCount = 0;
  for await (const items of readTable(from)) {
    const lasting = items.filter((item) => !/^(CODE|POLL|LIMIT|KEY)#/.test(String(plain(item).pk)));
    await putItems(lasting);
    itemCount += lasting.length;
    tell(`Items restored: ${itemCount}.`);
  }
  return { itemCount, losses: [] };
}

interface FoundDrop {
  readonly ownerId: string;
  readonly pointer: RawItem;
  readonly versions: readonly RawItem[];
  /** The drop's own item, and its views. */
  readonly drop: readonly RawItem[];
}

async function findDrop(from: string, slug: string): Promise<FoundDrop> {
  const bySlug = await readPartition(from, keys.pointer(slug).pk);
  const pointer = bySlug.find((item) => plain(item).sk === keys.pointer(slug).sk);
  const ownerId = pointer && plain(pointer).ownerId;
  if (pointer === undefined || typeof ownerId !== "string")
    throw new Error(`The table ${from} has no drop ${slug}.`);
  const wanted = [keys.drop(ownerId, slug).sk, keys.views(ownerId, slug).sk];
  const drop = (await readPartition(from, keys.account(ownerId).pk)).filter((item) =>
    wanted.includes(String(plain(item).sk)),
  );
  if (!drop.some((item) => plain(item).sk === wanted[0]))
    throw new Error(`In the table ${from}, the drop ${slug} is deleted already: restore an earlier time.`);
  return { ownerId, pointer, versions: bySlug.filter((item) => item !== pointer), drop };
}

/** Pages first: a row never points at nothing. */
async function requirePages({ pagesBucket }: Service, versions: readonly RawItem[]): Promise<void> {
  const objectKeys = versions
    .map((item) => toVersion(plain(item)))
    .flatMap(({ pageKey, hasContext }) => (hasContext ? [pageKey, contextKey(pageKey)] : [pageKey]));
  for (const key of objectKeys) {
    if (await hasObject(pagesBucket, key)) continue;
    throw new Error(`${key} is not in ${pagesBucket}: bring the pages back first (docs/runbook.md).`);
  }
}

async function requireFree(userId: string, identity: Key): Promise<void> {
  if (await getItem(keys.account(userId))) throw new Error(`The account ${userId} is there.`);
  const found = await getItem(identity);
  if (found?.bannedAtMs !== undefined)
    throw new Error(`The person of ${userId} is banned: unban them first.`);
  const other = found?.userId;
  if (other !== undefined)
    throw new Error(
      `The person has signed in since and has the account ${String(other)}: delete that one first.`,
    );
}

/** Deleted files are gone for good; those of an account that was lost otherwise are still there. */
async function sortFiles({ blobsBucket }: Service, partition: readonly RawItem[]) {
  const kept: RawItem[] = [];
  const losses: string[] = [];
  for (const item of partition) {
    if (parseKey(plain(item) as unknown as Key)?.kind !== "blob") continue;
    const { id, filename, objectKey } = toBlob(plain(item));
    if (await hasObject(blobsBucket, objectKey)) kept.push(item);
    else losses.push(`The file ${id} (${filename}) is gone.`);
  }
  return { kept, losses };
}

function slugOf(subject: ReturnType<typeof parseKey>): string[] {
  return subject?.kind === "drop" ? [subject.slug] : [];
}

function plain(item: RawItem): Item {
  return fromAttributes(item);
}

async function hasObject(Bucket: string, Key: string): Promise<boolean> {
  try {
    await s3.send(new HeadObjectCommand({ Bucket, Key }));
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}
