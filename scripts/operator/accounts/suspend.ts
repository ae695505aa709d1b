import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { edgeCache } from "../../../functions/background/edge-cache.ts";
import { invalidationsOf } from "../../../functions/background/invalidate.ts";
import { itemsOf, tagItem } from "../../../functions/background/invalidation.ts";
import { folderHostUrl } from "../../../functions/drops/raw-address.ts";
import { drops } from "../../../functions/drops/store.ts";
import { ownerTag } from "../../../functions/http/response.ts";
import { blobUrl, dropUrl, ownerUrl, rawUrl } from "../../../functions/http/site.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { isDropSubject, type Key, keys, parseKey, ranges } from "../../../functions/table/keys.ts";
import { suspendedAttribute } from "../../../functions/table/suspension.ts";
import { getItem, type Item, queryAll } from "../../../functions/table/table.ts";
import { transact, updateItem } from "../../../functions/table/table-writes.ts";
import { type Terminal, UsageError, yesOption } from "../command.ts";
import { defineServiceCommand, operatorAct, type Service } from "../service.ts";
import { findUser, isBanned, listFiles, mapInParallel, nameOfUser, type User } from "../table-reads.ts";
import { hideFiles, showFiles } from "../takedown/objects.ts";
import { waitUntilGone } from "../takedown/takedown.ts";

/** One invalidation covers all addresses, so that some of each kind are enough. */
const addressesOfEachKindMax = 20;

export const suspendCommand = defineServiceCommand({
  usage: "suspend <account>",
  summary: "suspends an account: it cannot be read or changed until unsuspend",
  details: `
Its tokens are refused with \`forbidden\` and the contact of the setting securityContact. Its person cannot sign in. Its pages, files and
public page answer 404 for everyone. Nothing is deleted. Waits until CloudFront's cache is invalidated, which it checks at up to
${addressesOfEachKindMax} pages and files. If it fails on the way, run it again.`,
  options: { yes: yesOption },
  async run({ word, service, confirm, terminal }) {
    const user = await findUser(word);
    await confirm(user.namespace, `The account ${nameOfUser(user)} will be suspended with everything in it.`);
    return suspend(service, user, terminal);
  },
});

export const unsuspendCommand = defineServiceCommand({
  usage: "unsuspend <account>",
  summary: "lifts a suspension",
  details: `
Tokens, pages, files and the public page work again at once. Unban a banned person first. If it fails on the way, the account is still
suspended: run it again.`,
  async run({ word, service, act, print }) {
    const user = await findUser(word);
    const { namespace, isSuspended } = user;
    if (!isSuspended) return print(`${namespace} is not suspended.`);
    if (await isBanned(user)) throw new UsageError(`${namespace} is banned. Run unban first.`);
    await unsuspendAccount(service, user, await act("unsuspend"), print);
    print(`${namespace} is no longer suspended.`);
  },
});

export const banCommand = defineServiceCommand({
  usage: "ban <account>",
  summary: "suspends an account and bans its person from signing in",
  details: `
The identity at the provider is refused at every sign-in, and gets no other account, even after this one is deleted. The account is
suspended as by suspend. To ban and delete at once: delete-account --ban.`,
  options: { yes: yesOption },
  async run({ word, service, act, confirm, print, terminal }) {
    const user = await findUser(word);
    const { namespace, identity } = user;
    await confirm(
      namespace,
      `The person of ${nameOfUser(user)} will be banned, and the account suspended with everything in it.`,
    );
    // The ban comes first: a concurrent sign-in finds either the ban or the suspension.
    await banIdentity(user, await act("ban"));
    print(`Banned: ${JSON.stringify(identity.id)} of ${identity.provider}.`);
    return suspend(service, user, terminal);
  },
});

export const unbanCommand = defineServiceCommand({
  usage: "unban <account>",
  summary: "lets a banned person sign in again",
  details: `
The account stays suspended until unsuspend. If it was deleted, name its namespace: the person gets a new account at the next sign-in.`,
  async run({ word, act, print }) {
    const { isLifted, user } = await unbanIdentity(word, await act("unban"));
    print(`${word} is ${isLifted ? "no longer banned" : "not banned"}.`);
    if (user === undefined) print("The account is deleted. The next sign-in creates another.");
    if (user?.isSuspended) print(`The account is still suspended. To lift that: unsuspend ${user.namespace}`);
  },
});

/** Refuses sign-ins with an account's identity, even after the account is deleted. */
async function banIdentity({ userId, namespace, identity }: User, act: Act): Promise<void> {
  const ban = {
    key: keys.identity(identity.provider, identity.id),
    update: "SET bannedAtMs = if_not_exists(bannedAtMs, :now), #namespace = :namespace",
    condition: "userId = :userId",
    names: { "#namespace": "namespace" },
    values: { ":now": act.atMs, ":namespace": namespace, ":userId": userId },
  };
  const outcome = await transact([ban, auditWrite(act, { ownerId: userId })]);
  if (!outcome.committed)
    throw new Error(`${namespace} is being deleted: go on with delete-account ${userId} --ban.`);
}

/** Lifts the ban of the person of an account, or of a deleted account by its namespace. Returns no user for a deleted one. */
async function unbanIdentity(name: string, act: Act): Promise<{ isLifted: boolean; user?: User }> {
  const namespace = name.toLowerCase();
  const left = (await getItem(keys.namespace(namespace)))?.bannedIdentity as User["identity"] | undefined;
  if (left !== undefined) {
    // The next sign-in creates a new account. The owner of the deleted one is no longer known.
    const { committed } = await transact([
      { remove: keys.identity(left.provider, left.id), condition: "attribute_not_exists(userId)" },
      {
        key: keys.namespace(namespace),
        update: "REMOVE bannedIdentity",
        condition: "attribute_exists(bannedIdentity)",
      },
      auditWrite(act, {}),
    ]);
    return { isLifted: committed };
  }
  const user = await findUser(name);
  const { committed } = await transact([
    {
      key: keys.identity(user.identity.provider, user.identity.id),
      update: "REMOVE bannedAtMs",
      condition: "attribute_exists(bannedAtMs) AND userId = :userId",
      values: { ":userId": user.userId },
    },
    auditWrite(act, { ownerId: user.userId }),
  ]);
  return { isLifted: committed, user };
}

/** Suspends an account and waits for the invalidation of the edge cache. Resolves to false if it is not complete in time. */
export async function suspend(service: Service, user: User, terminal: Terminal): Promise<boolean> {
  await suspendAccount(service, user, await operatorAct(service, "suspend"), (line) => terminal.print(line));
  const addresses = await publicAddresses(service, user);
  const isGone = await waitUntilGone(addresses, terminal);
  if (isGone)
    terminal.print(`${user.namespace} is suspended: ${addresses.length} of its addresses answer 404.`);
  return isGone;
}

/** Lists the public page and the latest drops and files. */
async function publicAddresses(service: Service, { userId, namespace }: User): Promise<string[]> {
  const latest = <Thing>(all: readonly Thing[], atMs: (thing: Thing) => number) =>
    all.toSorted((one, other) => atMs(other) - atMs(one)).slice(0, addressesOfEachKindMax);
  const shown = latest(await drops.list(userId), ({ updatedAtMs }) => updatedAtMs);
  const files = latest(await listFiles(userId), ({ createdAtMs }) => createdAtMs);
  return [
    ownerUrl(service, namespace),
    ...shown.flatMap((drop) => {
      const { slug, latest: last, namespace: at } = drop;
      const pinned = folderHostUrl(service, drop, last, { version: last.version });
      const raw = `${rawUrl(service, at, slug)}?v=${last.version}`;
      return [dropUrl(service, at, slug), raw, ...(pinned === undefined ? [] : [pinned])];
    }),
    ...files.map(({ id, namespace: at }) => blobUrl(service, at, id)),
  ];
}

/** Items that invalidate an account's public page, drops and files, also those that were received from other accounts. */
export async function findAccountItems({ userId, namespace }: User): Promise<string[]> {
  const pages = (await drops.list(userId)).map((drop) => ({ kind: "page" as const, ...drop }));
  const files = (await listFiles(userId)).map((file) => ({ kind: "file" as const, ...file }));
  // A transferred drop or file keeps its first owner's address and tag.
  const fromOthers = [...pages, ...files].filter((kept) => kept.namespace !== namespace);
  return [tagItem(ownerTag(namespace)), ...itemsOf(fromOthers)];
}

/** Invalidates items of the edge's cache now. */
export async function forgetItems(items: readonly string[]): Promise<void> {
  for (const invalidation of invalidationsOf(items, [randomUUID()])) await edgeCache.invalidate(invalidation);
}

const mark = `SET ${suspendedAttribute} = if_not_exists(${suspendedAttribute}, :now)`;
const unmark = `REMOVE ${suspendedAttribute}`;

type Print = (line: string) => void;

/** Suspends an account. Its row comes first, since nothing can be added after it. It can be run again after a failure. */
async function suspendAccount(service: Service, user: User, act: Act, print: Print): Promise<void> {
  const { userId, namespace } = user;
  const values = { ":now": act.atMs };
  const isThere = "attribute_exists(pk) AND attribute_not_exists(deletingAtMs)";
  const outcome = await transact([
    { key: keys.account(userId), update: mark, condition: isThere, values },
    { key: keys.namespace(namespace), update: mark, condition: "attribute_exists(pk)", values },
    auditWrite(act, { ownerId: userId }),
  ]);
  if (!outcome.committed)
    throw new Error(`The account ${userId} is gone, or is being deleted: run delete-account for the rest.`);
  print(`Tokens suspended: ${await updateTokens(userId, mark, values)}.`);
  print(`Drops hidden: ${await updatePointers(userId, mark, values)}.`);
  print(`Files hidden: ${await hideFiles(service.blobsBucket, user)}.`);
  await forgetItems(await findAccountItems(user));
  print("Waiting for requests that have begun …");
  await sleep(service.requestMsMax);
  // An earlier upload may have stored its object since, and an earlier response may have been cached.
  await hideFiles(service.blobsBucket, user);
  await forgetItems(await findAccountItems(user));
  if ((await getItem(keys.account(userId)))?.[suspendedAttribute] === undefined)
    throw new Error(`${namespace} was unsuspended meanwhile: run the command again.`);
}

/** Lifts a suspension. The account's row comes last: after a failure the account is still suspended, and the same call continues. */
async function unsuspendAccount(service: Service, user: User, act: Act, print: Print): Promise<void> {
  const { userId, namespace, item } = user;
  print(`Files shown: ${await showFiles(service.blobsBucket, user)}.`);
  print(`Drops shown: ${await updatePointers(userId, unmark)}.`);
  print(`Tokens restored: ${await updateTokens(userId, unmark)}.`);
  const seen = { condition: `${suspendedAttribute} = :seen`, values: { ":seen": item[suspendedAttribute] } };
  const outcome = await transact([
    { key: keys.account(userId), update: unmark, ...seen },
    { key: keys.namespace(namespace), update: unmark, condition: "attribute_exists(pk)" },
    auditWrite(act, { ownerId: userId }),
  ]);
  if (!outcome.committed) throw new Error(`${namespace} was changed meanwhile: run the command again.`);
}

/** Updates the tokens that were not revoked meanwhile. Returns their number. */
async function updateTokens(userId: string, update: string, values?: Item): Promise<number> {
  const rows = await queryAll(ranges.tokenRows(userId));
  const condition = "attribute_exists(pk)";
  return updateEach(rows.map(({ hash }) => ({ key: keys.token(hash as string), update, condition, values })));
}

/** Updates the drops that were not deleted or transferred meanwhile, also in the trash: they may come back. Returns their number. */
async function updatePointers(userId: string, update: string, own?: Item): Promise<number> {
  const items = await Promise.all([queryAll(ranges.drops(userId)), queryAll(ranges.trashedDrops(userId))]);
  const subjects = items.flat().map((item) => parseKey(item as unknown as Key));
  const guard = { condition: "ownerId = :owner", values: { ...own, ":owner": userId } };
  return updateEach(
    subjects.filter(isDropSubject).map(({ slug }) => ({ key: keys.pointer(slug), update, ...guard })),
  );
}

async function updateEach(changes: readonly Parameters<typeof updateItem>[0][]): Promise<number> {
  const outcomes = await mapInParallel(changes, updateItem);
  return outcomes.filter(({ updated }) => updated).length;
}
