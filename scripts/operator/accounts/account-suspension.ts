import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { isDropSubject, type Key, keys, parseKey, ranges } from "../../../functions/table/keys.ts";
import { suspendedAttribute } from "../../../functions/table/suspension.ts";
import { getItem, queryAll } from "../../../functions/table/table.ts";
import { transact, updateItem } from "../../../functions/table/table-writes.ts";
import type { Service } from "../service.ts";
import { hideFiles, showFiles } from "../takedown/file-hiding.ts";
import type { User } from "../users.ts";
import { findAccountItems, forgetItems } from "./account-cache.ts";

const rowsAtOnce = 16;

interface Options {
  readonly act: Act;
  readonly report: (line: string) => void;
}

/**
 * Suspends an account: its agents are refused and its pages cannot be read. The account's row comes first, since nothing can be
 * added after it. It can be run again after a failure.
 *
 * @throws Error if the account is gone, is being deleted, or was unsuspended meanwhile
 */
export async function suspendAccount(service: Service, user: User, { act, report }: Options): Promise<void> {
  const nowMs = act.atMs;
  const { userId, namespace } = user;
  await markAccount(user, act);
  report(`Tokens suspended: ${await setMarks(await tokenKeys(userId), nowMs)}.`);
  report(`Drops hidden: ${await setMarks(await pointerKeys(userId), nowMs, userId)}.`);
  report(`Files hidden: ${await hideFiles(service.blobsBucket, user)}.`);
  await forgetItems(await findAccountItems(user));
  report("Waiting for requests that have begun …");
  await sleep(service.requestMsMax);
  // An upload that had begun before may have stored its object since, and a response may have come into the edge's cache.
  await hideFiles(service.blobsBucket, user);
  await forgetItems(await findAccountItems(user));
  if ((await getItem(keys.account(userId)))?.[suspendedAttribute] === undefined)
    throw new Error(`${namespace} was unsuspended meanwhile: run the command again.`);
}

/**
 * Takes a suspension back: all is as it was before. The account comes last, so that nothing is added that would be left
 * out; should it end half-way, the account is still suspended, and the same call again does the rest.
 *
 * @throws Error when the account is gone, or was suspended again meanwhile
 */
export async function unsuspendAccount(
  service: Service,
  user: User,
  { act, report }: Options,
): Promise<void> {
  const { userId, namespace, item } = user;
  report(`Files shown: ${await showFiles(service.blobsBucket, user)}.`);
  report(`Drops shown: ${await removeMarks(await pointerKeys(userId), userId)}.`);
  report(`Tokens restored: ${await removeMarks(await tokenKeys(userId))}.`);
  const values = { ":seen": item[suspendedAttribute] };
  const outcome = await transact([
    {
      key: keys.account(userId),
      update: `REMOVE ${suspendedAttribute}`,
      condition: `${suspendedAttribute} = :seen`,
      values,
    },
    {
      key: keys.namespace(namespace),
      update: `REMOVE ${suspendedAttribute}`,
      condition: "attribute_exists(pk)",
    },
    auditWrite(act, { ownerId: userId }),
  ]);
  if (!outcome.committed) throw new Error(`${namespace} was changed meanwhile: run the command again.`);
}

/** From here on nobody signs in to the account, nothing is added to it, and its public page is gone. */
async function markAccount({ userId, namespace }: User, act: Act): Promise<void> {
  const values = { ":now": act.atMs };
  const outcome = await transact([
    {
      key: keys.account(userId),
      update: `SET ${suspendedAttribute} = if_not_exists(${suspendedAttribute}, :now)`,
      condition: "attribute_exists(pk) AND attribute_not_exists(deletingAtMs)",
      values,
    },
    {
      key: keys.namespace(namespace),
      update: `SET ${suspendedAttribute} = if_not_exists(${suspendedAttribute}, :now)`,
      condition: "attribute_exists(pk)",
      values,
    },
    auditWrite(act, { ownerId: userId }),
  ]);
  if (!outcome.committed)
    throw new Error(`The account ${userId} is gone, or is being deleted: run delete-account for the rest.`);
}

async function tokenKeys(userId: string): Promise<Key[]> {
  return (await queryAll(ranges.tokenRows(userId))).map((row) => keys.token(row.hash as string));
}

/** Includes drops in the trash: they may come back. */
async function pointerKeys(userId: string): Promise<Key[]> {
  const items = await Promise.all([queryAll(ranges.drops(userId)), queryAll(ranges.trashedDrops(userId))]);
  return items
    .flat()
    .map((item) => parseKey(item as unknown as Key))
    .flatMap((subject) => (isDropSubject(subject) ? [keys.pointer(subject.slug)] : []));
}

function setMarks(found: readonly Key[], nowMs: number, ownerId?: string): Promise<number> {
  const update = `SET ${suspendedAttribute} = if_not_exists(${suspendedAttribute}, :now)`;
  return updateEach(found, update, { ":now": nowMs }, ownerId);
}

function removeMarks(found: readonly Key[], ownerId?: string): Promise<number> {
  return updateEach(found, `REMOVE ${suspendedAttribute}`, {}, ownerId);
}

/** Updates each item unless it was revoked, deleted or transferred meanwhile. */
async function updateEach(
  found: readonly Key[],
  update: string,
  own: Readonly<Record<string, unknown>>,
  ownerId?: string,
): Promise<number> {
  const condition = ownerId === undefined ? "attribute_exists(pk)" : "ownerId = :owner";
  const all = { ...own, ...(ownerId === undefined ? {} : { ":owner": ownerId }) };
  const values = Object.keys(all).length === 0 ? undefined : all;
  const updateOne = (key: Key) => updateItem({ key, update, condition, values });
  const outcomes = await pLimit(rowsAtOnce).map(found, updateOne);
  return outcomes.filter(({ updated }) => updated).length;
}
