import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { isDropSubject, type Key, keys, parseKey, ranges } from "../../../functions/table/keys.ts";
import { suspendedAttribute } from "../../../functions/table/suspension.ts";
import { getItem, type Item, queryAll } from "../../../functions/table/table.ts";
import { transact, updateItem } from "../../../functions/table/table-writes.ts";
import type { Service } from "../service.ts";
import { hideFiles, showFiles } from "../takedown/file-hiding.ts";
import type { User } from "../users.ts";
import { findAccountItems, forgetItems } from "./account-cache.ts";

const rowsAtOnce = 16;

const mark = `SET ${suspendedAttribute} = if_not_exists(${suspendedAttribute}, :now)`;
const unmark = `REMOVE ${suspendedAttribute}`;

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
  const { userId, namespace } = user;
  const values = { ":now": act.atMs };
  await markAccount(user, act);
  report(`Tokens suspended: ${await updateTokens(userId, mark, values)}.`);
  report(`Drops hidden: ${await updatePointers(userId, mark, values)}.`);
  report(`Files hidden: ${await hideFiles(service.blobsBucket, user)}.`);
  await forgetItems(await findAccountItems(user));
  report("Waiting for requests that have begun …");
  await sleep(service.requestMsMax);
  // An earlier upload may have stored its object since, and an earlier response may have been cached.
  await hideFiles(service.blobsBucket, user);
  await forgetItems(await findAccountItems(user));
  if ((await getItem(keys.account(userId)))?.[suspendedAttribute] === undefined)
    throw new Error(`${namespace} was unsuspended meanwhile: run the command again.`);
}

/**
 * Lifts a suspension. The account's row comes last, so that nothing new is left out. After a failure the account is still suspended,
 * and the same call continues.
 *
 * @throws Error if the account is gone, or was suspended again meanwhile
 */
export async function unsuspendAccount(
  service: Service,
  user: User,
  { act, report }: Options,
): Promise<void> {
  const { userId, namespace, item } = user;
  report(`Files shown: ${await showFiles(service.blobsBucket, user)}.`);
  report(`Drops shown: ${await updatePointers(userId, unmark)}.`);
  report(`Tokens restored: ${await updateTokens(userId, unmark)}.`);
  const values = { ":seen": item[suspendedAttribute] };
  const outcome = await transact([
    {
      key: keys.account(userId),
      update: unmark,
      condition: `${suspendedAttribute} = :seen`,
      values,
    },
    {
      key: keys.namespace(namespace),
      update: unmark,
      condition: "attribute_exists(pk)",
    },
    auditWrite(act, { ownerId: userId }),
  ]);
  if (!outcome.committed) throw new Error(`${namespace} was changed meanwhile: run the command again.`);
}

/** Marks the account: nobody can sign in to it, nothing can be added, and its public page is gone. */
async function markAccount({ userId, namespace }: User, act: Act): Promise<void> {
  const values = { ":now": act.atMs };
  const outcome = await transact([
    {
      key: keys.account(userId),
      update: mark,
      condition: "attribute_exists(pk) AND attribute_not_exists(deletingAtMs)",
      values,
    },
    {
      key: keys.namespace(namespace),
      update: mark,
      condition: "attribute_exists(pk)",
      values,
    },
    auditWrite(act, { ownerId: userId }),
  ]);
  if (!outcome.committed)
    throw new Error(`The account ${userId} is gone, or is being deleted: run delete-account for the rest.`);
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
  const condition = "ownerId = :owner";
  const values = { ...own, ":owner": userId };
  return updateEach(
    subjects
      .filter(isDropSubject)
      .map(({ slug }) => ({ key: keys.pointer(slug), update, condition, values })),
  );
}

async function updateEach(changes: readonly Parameters<typeof updateItem>[0][]): Promise<number> {
  const outcomes = await pLimit(rowsAtOnce).map(changes, updateItem);
  return outcomes.filter(({ updated }) => updated).length;
}
