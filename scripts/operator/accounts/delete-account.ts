import { type AccountRow, listFiles, listMovedFiles } from "../../../functions/administration/accounts.ts";
import { purgeBelow, purgeObject } from "../../../functions/administration/stored-objects.ts";
import { findAccountItems, forgetItems } from "../../../functions/administration/suspension.ts";
import { purgeVersions } from "../../../functions/administration/takedown.ts";
import { restrictedFolder, stagedPrefix } from "../../../functions/blobs/blob.ts";
import type { Drop } from "../../../functions/drops/drop.ts";
import { drops } from "../../../functions/drops/store.ts";
import { trash } from "../../../functions/drops/trash-store.ts";
import { membershipEndedAttribute } from "../../../functions/people/accounts.ts";
import { findTeam } from "../../../functions/people/teams.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { keys, parseKey } from "../../../functions/table/keys.ts";
import { heldAttribute, heldSlugsAttribute } from "../../../functions/table/legal-hold.ts";
import { tableName } from "../../../functions/table/table.ts";
import {
  deleteItems,
  type TransactionWrite,
  transact,
  updateItem,
} from "../../../functions/table/table-writes.ts";
import { tokens } from "../../../functions/table/tokens.ts";
import { readObjectKey } from "../../../functions/table-stream/orphans.ts";
import { teams } from "../../../functions/teams/store.ts";
import { recoveryDays } from "../../../lib/retention.ts";
import { findAccountReads } from "../access/reads.ts";
import { yesOption } from "../command.ts";
import { onHold } from "../hold.ts";
import { defineServiceCommand, type Service, type Work } from "../service.ts";
import { findUser, nameOfUser, readPartition } from "../table-reads.ts";

export const deleteAccountCommand = defineServiceCommand({
  usage: "delete-account <account>",
  summary: "deletes an account with everything in it",
  details: `
Deletes tokens, drops and files with all versions in S3, the person's reads, and the account. The pages cannot be restored. Run export first
if you may need them. If the command fails, run it again. In a browser, the person stays signed in as a reader until the session ends. To
prevent that, use --ban or members remove.

The namespace and the slugs stay reserved. The person can sign in again and gets an account with a new name, unless they are banned. Pages
of previously deleted drops stay in S3 for ${recoveryDays} days after their deletion. Table items stay in backups for
${recoveryDays} days.`,
  options: {
    ban: "also bans the person. To lift the ban, run unban with the same namespace",
    yes: yesOption,
  },
  async run(work) {
    const { ban: isBan } = work.options;
    const user = await findUser(work.word);
    const warning = user.isBeingDeleted
      ? `The deletion of ${nameOfUser(user)} has already begun, and will continue.`
      : `The account ${nameOfUser(user)} will be deleted with everything in it.`;
    await work.confirm(user.namespace, warning);
    if (!isBan && user.item[membershipEndedAttribute] !== undefined)
      work.print(
        `${user.namespace} was removed from the members. Deleting the account also deletes the record of that removal. If a rule of the settings admits the person, use --ban.`,
      );
    await deleteAccount(work, user, isBan);
  },
});

/**
 * Deletes an account and everything in it. Can be called again after a failure at any step.
 *
 * @param isBan true to ban the account's person too
 */
export async function deleteAccount(
  { service, action, print }: Work,
  user: AccountRow,
  isBan: boolean,
): Promise<void> {
  const { userId, namespace } = user;
  const deletion = await action("delete-account");
  await closeAccount(user, deletion, isBan, print);
  const items = await findAccountItems(user);
  print(`Tokens deleted: ${await tokens.revokeAll(userId, deletion)}.`);
  print(`Drops deleted: ${await deleteDrops(service, userId, deletion)}.`);
  print(`Files deleted: ${await deleteFiles(service, user, deletion)}.`);
  // Invalidates cached responses for the items that this run has deleted. The table's stream does this for transferred items that an
  // earlier run deleted.
  await forgetItems(items);
  const reads = await findAccountReads(user);
  await deleteItems(reads.map(({ key }) => key));
  print(`Reads deleted: ${reads.length}.`);
  const team = await findTeam(userId);
  if (team !== undefined) await transact(teams.removal(team));
  await deleteRest(userId);
  const isDeleted = "attribute_exists(deletedAtMs)";
  const outcome = await transact([
    { remove: keys.account(userId), condition: "attribute_exists(deletingAtMs)" },
    { remove: keys.accountEntry(namespace) },
    { key: keys.namespace(namespace), update: "REMOVE userId", condition: isDeleted },
  ]);
  if (!outcome.committed)
    throw new Error(`The account ${userId} was changed in the meantime. Run the command again.`);
  print(`${namespace} is deleted.`);
}

/**
 * Closes the account: the person cannot sign in, no tokens, drops or files can be added, and the public page is gone.
 *
 * @param fate what becomes of the person's identity. `other`: the identity now belongs to another account of the same person
 */
async function closeAccount(
  user: AccountRow,
  act: Act,
  isBan: boolean,
  print: (line: string) => void,
  fate: "forgotten" | "banned" | "other" = isBan ? "banned" : "forgotten",
): Promise<void> {
  const { userId, namespace, identity } = user;
  const now = { ":now": act.atMs };
  const isNotHeld = `attribute_not_exists(${heldAttribute}) AND attribute_not_exists(${heldSlugsAttribute})`;
  const isBanned = fate === "banned";
  const key = keys.identity(identity.provider, identity.id);
  const identityWrites: Readonly<Record<typeof fate, TransactionWrite | undefined>> = {
    other: undefined,
    forgotten: {
      remove: key,
      condition: "attribute_not_exists(pk) OR (userId = :userId AND attribute_not_exists(bannedAtMs))",
      values: { ":userId": userId },
    },
    banned: {
      key,
      update: "SET bannedAtMs = if_not_exists(bannedAtMs, :now), #namespace = :namespace REMOVE userId",
      condition: "attribute_not_exists(userId) OR userId = :userId",
      names: { "#namespace": "namespace" },
      values: { ...now, ":namespace": namespace, ":userId": userId },
    },
  };
  const outcome = await transact({
    account: {
      key: keys.account(userId),
      update: "SET deletingAtMs = if_not_exists(deletingAtMs, :now)",
      condition: `attribute_exists(pk) AND ${isNotHeld}`,
      values: now,
    },
    // The namespace stays reserved. Its table item also stores the identity of a banned person.
    namespace: {
      key: keys.namespace(namespace),
      update: `SET deletedAtMs = if_not_exists(deletedAtMs, :now)${isBanned ? ", bannedIdentity = :identity" : ""}`,
      values: { ...now, ...(isBanned ? { ":identity": identity } : {}) },
    },
    identity: identityWrites[fate],
    line: auditWrite(act, { ownerId: userId }),
    ban: isBan ? auditWrite({ ...act, action: "ban" }, { ownerId: userId }) : undefined,
  });
  if (outcome.committed) return;
  const account = outcome.failed.get("account");
  if (account !== undefined) throw onHold(account);
  const found = outcome.failed.get("identity");
  if (outcome.failed.has("account") || found === undefined)
    throw new Error(`The account ${userId} is already deleted.`);
  const isOther = found.userId !== undefined && found.userId !== userId;
  // The person has signed in since an earlier run failed.
  if (isOther) print(`The person has signed in again. The new account, ${String(found.userId)}, is kept.`);
  return closeAccount(user, act, isBan, print, isOther ? "other" : "banned");
}

async function deleteDrops(service: Service, userId: string, act: Act): Promise<number> {
  const all = await drops.list(userId);
  for (const drop of all) await deleteDrop(service, drop, act);
  const trashed = await trash.list(userId);
  for (const { slug } of trashed) {
    await hidePointer(slug, act.atMs);
    await purgeVersions(service.pagesBucket, slug);
    await trash.purge(userId, slug, act);
  }
  return all.length + trashed.length;
}

/** Deletes a drop's versions, and then its table item, which refers to them. Starts over if a version was added in the meantime. */
async function deleteDrop(service: Service, found: Drop, act: Act): Promise<void> {
  const { ownerId, slug } = found;
  await hidePointer(slug, act.atMs);
  for (let drop: Drop | undefined = found; drop !== undefined; drop = await drops.find(ownerId, slug)) {
    await purgeVersions(service.pagesBucket, slug);
    if ((await drops.remove(ownerId, slug, act, drop.revision)) === "removed") return;
  }
}

/** Makes a drop unreadable. Its slug stays reserved. */
async function hidePointer(slug: string, nowMs: number): Promise<void> {
  await updateItem({
    key: keys.pointer(slug),
    update: "SET deletedAtMs = if_not_exists(deletedAtMs, :now) REMOVE ownerId, namespace",
    condition: "attribute_exists(pk)",
    values: { ":now": nowMs },
  });
}

/** Number of files in a transaction of 100 writes, three for each file; see "TransactWriteItems", Amazon DynamoDB API reference. */
const removedAtOnce = 33;

/** Deletes the account's files with all their versions in S3, and staged uploads. Keeps files that were transferred to another account. */
async function deleteFiles(
  { blobsBucket, pagesBucket }: Service,
  { userId, namespace }: AccountRow,
  act: Act,
): Promise<number> {
  const blobs = await listFiles(userId);
  const moved = await listMovedFiles(namespace);
  const idsOfOthers = new Set(moved.filter(({ ownerId }) => ownerId !== userId).map(({ id }) => id));
  const isOthers = (key: string) => {
    const object = readObjectKey("blobs", key);
    return object.kind === "blob" && idsOfOthers.has(object.id);
  };
  for (const folder of [`${namespace}/`, restrictedFolder(namespace)])
    await purgeBelow(blobsBucket, folder, isOthers);
  for (const bucket of [blobsBucket, pagesBucket]) await purgeBelow(bucket, `${stagedPrefix}${userId}/`);
  for (const { objectKey } of blobs)
    if (!objectKey.startsWith(`${namespace}/`)) await purgeObject(blobsBucket, objectKey);
  for (let start = 0; start < blobs.length; start += removedAtOnce) {
    const writes = blobs
      .slice(start, start + removedAtOnce)
      .flatMap(({ id, namespace: at }) => [
        { remove: keys.blob(userId, id) },
        { remove: keys.filePointer(at, id) },
        auditWrite(act, { ownerId: userId, blobId: id }),
      ]);
    await transact(writes);
  }
  const own = moved.filter(({ ownerId }) => ownerId === userId);
  await deleteItems(own.map(({ id }) => keys.filePointer(namespace, id)));
  return blobs.length;
}

/** Deletes the account's remaining items, such as late view counts, but not the account's own item. */
async function deleteRest(userId: string): Promise<void> {
  const { pk, sk: profile } = keys.account(userId);
  const items = await readPartition(tableName(), pk);
  const found = items.map(({ sk }) => ({ pk, sk })).filter(({ sk }) => sk !== profile);
  const added = found.filter((key) => parseKey(key) !== undefined);
  if (added.length > 0)
    throw new Error(`${added.length} drops or files were added in the meantime. Run the command again.`);
  await deleteItems(found);
}
