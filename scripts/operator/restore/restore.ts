import { mapInParallel } from "../../../functions/administration/accounts.ts";
import { publicFiles } from "../../../functions/blobs/public-files.ts";
import { toVersion } from "../../../functions/drops/items.ts";
import { drops } from "../../../functions/drops/store.ts";
import { trash } from "../../../functions/drops/trash-store.ts";
import { folderHostId } from "../../../functions/http/folder-host.ts";
import { userIdOf } from "../../../functions/people/accounts.ts";
import { findTeam } from "../../../functions/people/teams.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { appendToAudit, auditWrite } from "../../../functions/table/audit-trail.ts";
import {
  isDropSubject,
  isReaderRecordKey,
  isRenderSubject,
  type Key,
  keys,
  parseKey,
} from "../../../functions/table/keys.ts";
import { isSuspended, suspendedAttribute } from "../../../functions/table/suspension.ts";
import { getItem } from "../../../functions/table/table.ts";
import { transact, writeItems } from "../../../functions/table/table-writes.ts";
import { teams } from "../../../functions/teams/store.ts";
import { UsageError, yesOption } from "../command.ts";
import { defineServiceCommand, type Service } from "../service.ts";
import { readPartition, readTable, type StoredItem } from "../table-reads.ts";
import { findTarget } from "../target.ts";
import { compareCounts, compareVersions } from "../upkeep/recount.ts";
import {
  correctFeedbackCounts,
  isCounterItem,
  isFile,
  isVersion,
  raiseNumbers,
  removeDeleteMarkers,
  requirePages,
  sortFiles,
  sortPages,
  toCurrentOwners,
} from "./restored-items.ts";

export const restoreCommand = defineServiceCommand({
  usage: "restore",
  summary: "restores a drop, a file, an account or everything from a backup",
  details: `
Copies items from a table that DynamoDB restored to an earlier time, and corrects the counters. Pages and files come back from their
versions in S3, which keeps pages for 35 days and files for 7. docs/runbook.md, "Restore from backup", says how to get the table.`,
  options: {
    "from <table>!": "the restored table",
    "drop <slug>": "restores a deleted drop",
    "file <address>": "restores a deleted file (…/b/<id>)",
    "user <user id>": "restores a deleted account, without its tokens",
    everything:
      "copies the whole backup over the service's table, including accounts and tokens that were deleted since",
    yes: yesOption,
  },
  async run({ options, service, action, confirm, print, printAll }) {
    const { from, drop, file, user, everything } = options;
    if ([drop, file, user, everything].filter(Boolean).length !== 1)
      throw new UsageError(
        "Choose one of --drop <slug>, --file <address>, --user <user id> and --everything.",
      );
    if (from === service.tableName) throw new UsageError(`${from} is the service's own table.`);
    const target = file === undefined ? undefined : await findTarget(service, file);
    if (target?.kind === "page")
      throw new UsageError(`${file} is the address of a page. Use --drop ${target.slug}.`);
    const warning = `Everything in ${from} will be copied over ${service.tableName}.`;
    if (everything) await confirm(service.tableName, warning);
    const backup = { service, from, act: await action("restore") };
    const restore = () => {
      if (drop !== undefined) return restoreDrop(backup, drop);
      if (target !== undefined) return restoreFile(backup, target);
      return user === undefined ? restoreEverything(backup, print) : restoreAccount(backup, user);
    };
    const { itemCount, losses } = await restore();
    printAll(losses, `Items restored from ${from}: ${itemCount}.`);
  },
});

/** Backup to restore from: the name of a table that DynamoDB restored to an earlier time, and the service to which the data belongs. */
type Backup = { readonly service: Service; readonly from: string; readonly act: Act };

// The restore functions return the number of restored items, and a message for each lost item. If a function for a single drop, file or
// account throws, it has changed nothing.

/** Restores a deleted drop with its versions, pages, view count, and readers' comments and answers. */
async function restoreDrop({ service, from, act }: Backup, slug: string) {
  const found = await findDrop(from, slug);
  if (!found.drop.some(({ sk }) => sk === keys.drop(found.ownerId, slug).sk))
    throw new Error(
      `In the table ${from}, the drop ${slug} is in the trash. Use a table that was restored to an earlier time.`,
    );
  const [own, ...views] = await toCurrentOwners(found.drop);
  const ownerId = own === undefined ? found.ownerId : userIdOf(own);
  if (await getItem(keys.drop(ownerId, slug))) throw new Error(`The drop ${slug} already exists.`);
  if (await trash.find(ownerId, slug))
    throw new Error(`The drop ${slug} is in the trash. Its owner can restore it, or must purge it first.`);
  await requireAccount(ownerId, `drop ${slug}`);
  const pages = await requirePages(service, found.versions);
  // The backup may mark the account as suspended. Removes the mark, because the account is not suspended now.
  const { [suspendedAttribute]: _, ...unmarked } = found.pointer;
  const pointers = await toCurrentOwners([unmarked]);
  await appendToAudit(act, { ownerId, slug });
  await removeDeleteMarkers(pages);
  const { versions, feedback } = found;
  // Writes the drop's item last, because the drop's item refers to the other items.
  const puts = [...versions, ...feedback, ...folderHostsOf(versions), ...pointers, ...views];
  await writeItems({ puts: own ? [...puts, own] : puts });
  if (feedback.some((item) => item.sk === keys.feedback(slug).sk)) await correctFeedbackCounts(slug);
  await compareCounts(ownerId, true);
  return { itemCount: versions.length + feedback.length + found.drop.length + 1, losses: [] };
}

/** Restores a deleted file with its bytes. */
async function restoreFile(
  { service, from, act }: Backup,
  { namespace, id }: { readonly namespace: string; readonly id: string },
) {
  const names = await readPartition(from, keys.namespace(namespace).pk);
  const bySortKey = ({ sk }: Key) => names.find((item) => item.sk === sk);
  const pointer = bySortKey(keys.filePointer(namespace, id));
  const formerOwnerId = pointer ? pointer.ownerId : bySortKey(keys.namespace(namespace))?.userId;
  if (typeof formerOwnerId !== "string") throw new Error(`The table ${from} has no namespace ${namespace}.`);
  if (await publicFiles.find(namespace, id)) throw new Error(`The file ${id} already exists.`);
  const key = keys.blob(formerOwnerId, id);
  const found = (await readPartition(from, key.pk)).filter((one) => one.sk === key.sk);
  const [item] = await toCurrentOwners(found);
  const ownerId = item === undefined ? formerOwnerId : userIdOf(item);
  if (await getItem(keys.blob(ownerId, id)))
    throw new Error(`The account ${ownerId} now has another file with the id ${id}.`);
  await requireAccount(ownerId, `file ${id}`);
  if (item === undefined)
    throw new Error(
      `The table ${from} has no file ${id} of ${namespace}. If the file existed earlier, use a table that was restored to an earlier time.`,
    );
  const { kept, losses, objects } = await sortFiles(service, [item]);
  if (losses[0] !== undefined) throw new Error(losses[0]);
  await appendToAudit(act, { ownerId, blobId: id });
  await removeDeleteMarkers(objects);
  await writeItems({ puts: [...(await toCurrentOwners(pointer ? [pointer] : [])), ...kept] });
  await compareCounts(ownerId, true);
  return { itemCount: 1, losses };
}

/** Restores a deleted account with its drops and files, but without its tokens, so that the person has to sign in again. */
async function restoreAccount({ service, from, act }: Backup, userId: string) {
  const partition = await readPartition(from, keys.account(userId).pk);
  const profile = partition.find(({ sk }) => sk === keys.account(userId).sk);
  if (profile === undefined) throw new Error(`The table ${from} has no account ${userId}.`);
  const identity = keys.identity(profile.provider as string, profile.providerId as string);
  await requireFree(userId, identity);
  const places = await toCurrentOwners(partition);
  const own = places.filter((item) => userIdOf(item) === userId);
  const given = places.filter((item) => userIdOf(item) !== userId).flatMap(describeGiven);
  const slugs = own.map(parseKey).flatMap((subject) => (isDropSubject(subject) ? [subject.slug] : []));
  const found = await Promise.all(slugs.map((slug) => findDrop(from, slug)));
  const versions = found.flatMap((drop) => drop.versions);
  const pages = await requirePages(service, versions);
  const { kept, losses, objects } = await sortFiles(service, own.filter(isFile));
  const namespaces = new Set([profile.namespace, ...kept.map((item) => item.namespace)] as string[]);
  const named = await mapInParallel(namespaces, (name) => readPartition(from, keys.namespace(name).pk));
  const inNamespaces = named.flat().filter((item) => [item.userId, item.ownerId].includes(userId));
  const roots = [...inNamespaces, ...(await readPartition(from, identity.pk))];
  const items = [
    ...versions,
    ...found.flatMap((drop) => drop.feedback),
    ...(await toCurrentOwners(found.map(({ pointer }) => pointer))),
    ...kept,
    ...own.filter((item) => /^(DROP#|TRASH#|FEEDBACK|PROFILE$|TEAM$)/.test(item.sk)),
    ...(await toCurrentOwners(roots)),
    { ...keys.accountEntry(profile.namespace as string), userId },
  ];
  await appendToAudit(act, { ownerId: userId });
  await removeDeleteMarkers(pages);
  await removeDeleteMarkers(objects);
  await writeItems({ puts: [...items, ...folderHostsOf(versions)] });
  const team = await findTeam(userId);
  if (team !== undefined) await transact(teams.index(team));
  await compareCounts(userId, true);
  return { itemCount: items.length, losses: [...losses, ...given] };
}

/**
 * Copies all items of the backup over the service's table, and restores pages and files. Items that were transferred after the backup stay
 * with their new owner. Skips items with a lifetime of a day or less, renders, sessions of readers, event numbers, and cookie and webhook
 * keys. Permanently deleted versions and files stay deleted, and so do drops that have only such versions.
 */
async function restoreEverything({ service, from, act }: Backup, report: (line: string) => void) {
  await appendToAudit(act, {});
  let itemCount = 0;
  const losses: string[] = [];
  const slugsOfLost = new Set<string>();
  const numbers: StoredItem[] = [];
  for await (const items of readTable(from)) {
    const lasting = items.filter(isLasting);
    const pages = await sortPages(service, lasting.filter(isVersion));
    const files = await sortFiles(service, lasting.filter(isFile));
    for (const { objects } of [pages, files]) await removeDeleteMarkers(objects);
    const rest = lasting.filter((item) => !isVersion(item) && !isFile(item));
    const restored = await toCurrentOwners([...pages.kept, ...files.kept, ...rest]);
    const current = await withoutReturned(restored);
    // Removes the restored drops from the trash.
    const deletes = current.flatMap((item) => {
      const subject = parseKey(item);
      return subject?.kind === "drop" ? [keys.trashedDrop(userIdOf(item), subject.slug)] : [];
    });
    await writeItems({ puts: current.filter((item) => !isCounterItem(item)), deletes });
    numbers.push(...restored.filter(isCounterItem));
    losses.push(...pages.losses, ...files.losses);
    for (const item of pages.lost) slugsOfLost.add(toVersion(item).slug);
    itemCount += restored.length;
    report(`Items restored: ${itemCount}.`);
  }
  await raiseNumbers(numbers);
  for (const slug of slugsOfLost) losses.push(...(await settleDrop(slug, act)));
  return { itemCount, losses };
}

/** Skips drops that are in the backup's trash, but have been restored from the trash since then. */
async function withoutReturned(items: readonly StoredItem[]): Promise<StoredItem[]> {
  const kept = await mapInParallel(items, async (item) => {
    const subject = parseKey(item);
    const isReturned =
      subject?.kind === "trashed-drop" && (await getItem(keys.drop(userIdOf(item), subject.slug)));
    return isReturned ? [] : [item];
  });
  return kept.flat();
}

/** Corrects a drop that has lost versions. Deletes the drop if it has no version left. */
async function settleDrop(slug: string, act: Act): Promise<string[]> {
  const ownerId = (await getItem(keys.pointer(slug)))?.ownerId;
  const drop = typeof ownerId === "string" ? await drops.find(ownerId, slug) : undefined;
  if (drop === undefined || (await compareVersions(drop, true, act))?.isFixed !== false) return [];
  await transact([
    { remove: keys.drop(drop.ownerId, slug) },
    { remove: keys.views(drop.ownerId, slug) },
    auditWrite(act, { ownerId: drop.ownerId, slug }),
  ]);
  await compareCounts(drop.ownerId, true);
  return [`The drop ${slug} has no pages left, and stays deleted.`];
}

/** Finds a drop's pointer, versions and feedback. `drop` contains the drop's own item, which may be in the trash, and its view count. */
async function findDrop(from: string, slug: string) {
  const bySlug = await readPartition(from, keys.pointer(slug).pk);
  const pointer = bySlug.find((item) => item.sk === keys.pointer(slug).sk);
  const ownerId = pointer?.ownerId;
  if (pointer === undefined || typeof ownerId !== "string")
    throw new Error(`The table ${from} has no drop ${slug}.`);
  const places = [keys.drop(ownerId, slug).sk, keys.trashedDrop(ownerId, slug).sk];
  const wanted = [...places, keys.views(ownerId, slug).sk];
  const owned = await readPartition(from, keys.account(ownerId).pk);
  const drop = owned.filter((item) => wanted.includes(item.sk));
  if (!drop.some((item) => places.includes(item.sk)))
    throw new Error(
      `In the table ${from}, the drop ${slug} is already deleted. Use a table that was restored to an earlier time.`,
    );
  const [versions, feedback] = [bySlug.filter(isVersion), bySlug.filter(isReaderRecordKey)];
  return { ownerId, pointer, versions, feedback, drop };
}

async function requireAccount(ownerId: string, what: string): Promise<void> {
  const account = await getItem(keys.account(ownerId));
  if (account === undefined || account.deletingAtMs !== undefined)
    throw new Error(
      `The account ${ownerId}, which owns the ${what}, does not exist. Restore the account instead.`,
    );
  if (isSuspended(account))
    throw new Error(`The account ${ownerId}, which owns the ${what}, is suspended. Unsuspend it first.`);
}

async function requireFree(userId: string, identity: Key): Promise<void> {
  if (await getItem(keys.account(userId))) throw new Error(`The account ${userId} already exists.`);
  const found = await getItem(identity);
  if (found?.bannedAtMs !== undefined)
    throw new Error(`The person of the account ${userId} is banned. Unban the person first.`);
  if (found?.userId !== undefined)
    throw new Error(
      `The person of the account ${userId} has signed in again, and now has the account ${found.userId}. Delete that account first.`,
    );
}

/** Builds the items that map folders' hosts to drops, because a drop does not contain them; see docs/adr/0119-folder-addresses.md. */
function folderHostsOf(versions: readonly StoredItem[]): StoredItem[] {
  const withHost = versions.map(toVersion).filter(({ folder }) => folder?.hasHost);
  const slugs = new Set(withHost.map(({ slug }) => slug));
  return [...slugs].map((slug) => ({ ...keys.folderHost(folderHostId(slug)), slug }));
}

/** Returns true for an item to restore. Returns false for short-lived items, and for renders, which are created again. */
function isLasting(key: Key): boolean {
  const isShortLived = /^(CODE|POLL|LIMIT|READER|FOLDERKEY|KEY|EVENT|WEBHOOK)#/.test(key.pk);
  return !isShortLived && !isRenderSubject(parseKey(key));
}

/** Describes an item that was transferred to another account after the backup. */
function describeGiven(item: StoredItem): string[] {
  const subject = parseKey(item);
  const whose = `now belongs to the account ${userIdOf(item)}, and stays there.`;
  if (isDropSubject(subject)) return [`The drop ${subject.slug} ${whose}`];
  return subject?.kind === "blob" ? [`The file ${subject.id} ${whose}`] : [];
}
