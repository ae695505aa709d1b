import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { edgeCache } from "../background/edge-cache.ts";
import { invalidationsOf, itemsOf, tagItem } from "../background/invalidation.ts";
import { ApiError } from "../core/errors.ts";
import { drops } from "../drops/store.ts";
import { ownerTag } from "../http/response.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { isDropSubject, type Key, keys, parseKey, ranges } from "../table/keys.ts";
import { sessionsEndedAttribute, suspendedAttribute } from "../table/suspension.ts";
import { getItem, type Item, queryAll } from "../table/table.ts";
import { transact, updateItem } from "../table/table-writes.ts";
import { type AccountRow, findAccountRow, isAccountSuspended, listFiles, mapInParallel } from "./accounts.ts";
import { hideFiles, showFiles } from "./stored-objects.ts";

/** Surroundings of an administrator's act on pages and files that readers may be reading. */
export interface ActSurroundings {
  readonly blobsBucket: string;
  /** The longest duration of a request that has begun. */
  readonly requestMsMax: number;
  /** Receives a line about each completed step. @default - the steps are not shown */
  readonly report?: ((line: string) => void) | undefined;
}

const mark = `SET ${suspendedAttribute} = if_not_exists(${suspendedAttribute}, :now)`;
const unmark = `REMOVE ${suspendedAttribute}`;

/**
 * Suspends an account. Its row comes first, since nothing can be added after it. It can be run again after a failure.
 *
 * @throws ApiError `not_found` if the account is gone or being deleted, and `precondition_failed` if it was unsuspended meanwhile
 */
export async function suspendAccount(account: AccountRow, act: Act, around: ActSurroundings): Promise<void> {
  const { userId, namespace } = account;
  const { blobsBucket, requestMsMax, report = () => {} } = around;
  const values = { ":now": act.atMs };
  const isThere = "attribute_exists(pk) AND attribute_not_exists(deletingAtMs)";
  const outcome = await transact([
    { key: keys.account(userId), update: mark, condition: isThere, values },
    { key: keys.namespace(namespace), update: mark, condition: "attribute_exists(pk)", values },
    auditWrite(act, { ownerId: userId }),
  ]);
  if (!outcome.committed) throw gone(userId);
  await hideAll(account, act.atMs, around);
  report("Waiting for requests that have begun …");
  await sleep(requestMsMax);
  if (!(await isAccountSuspended(userId))) {
    await showAll(account, around);
    throw changedMeanwhile(namespace);
  }
  // An earlier upload may have stored its object since, and an earlier response may have been cached.
  await hideFiles(blobsBucket, account);
  await forgetItems(await findAccountItems(account));
  if (await isAccountSuspended(userId)) return;
  await showAll(account, around);
  throw changedMeanwhile(namespace);
}

/** Lifts a suspension. The account's row comes last: after a failure the account is still suspended, and the same call continues. */
export async function unsuspendAccount(
  account: AccountRow,
  act: Act,
  around: ActSurroundings,
): Promise<void> {
  const { userId, namespace, item } = account;
  await showAll(account, around);
  const seen = { condition: `${suspendedAttribute} = :seen`, values: { ":seen": item[suspendedAttribute] } };
  const outcome = await transact([
    { key: keys.account(userId), update: unmark, ...seen },
    { key: keys.namespace(namespace), update: unmark, condition: "attribute_exists(pk)" },
    auditWrite(act, { ownerId: userId }),
  ]);
  if (outcome.committed) return;
  // Another administrator has suspended the account again, perhaps before its tokens and drops were shown.
  if (await isAccountSuspended(userId)) await hideAll(account, act.atMs, around);
  throw changedMeanwhile(namespace);
}

/** Hides everything of an account whose row is suspended. */
async function hideAll(
  account: AccountRow,
  nowMs: number,
  { blobsBucket, report = () => {} }: ActSurroundings,
): Promise<void> {
  const { userId } = account;
  const values = { ":now": nowMs };
  report(`Tokens suspended: ${await updateTokens(userId, mark, values)}.`);
  report(`Drops hidden: ${await updatePointers(userId, mark, values)}.`);
  report(`Files hidden: ${await hideFiles(blobsBucket, account)}.`);
  await forgetItems(await findAccountItems(account));
}

/** Shows everything of an account again. */
async function showAll(
  account: AccountRow,
  { blobsBucket, report = () => {} }: ActSurroundings,
): Promise<void> {
  const { userId } = account;
  report(`Files shown: ${await showFiles(blobsBucket, account)}.`);
  report(`Drops shown: ${await updatePointers(userId, unmark)}.`);
  report(`Tokens restored: ${await updateTokens(userId, unmark)}.`);
}

/**
 * Refuses sign-ins with an account's identity, even after the account is deleted.
 *
 * @throws ApiError `not_found` if the account is being deleted
 */
export async function banIdentity(account: AccountRow, act: Act): Promise<void> {
  const isBanned = await changeIdentity(account, act, {
    update: "SET bannedAtMs = if_not_exists(bannedAtMs, :now), #namespace = :namespace",
    names: { "#namespace": "namespace" },
    values: { ":now": act.atMs, ":namespace": account.namespace },
  });
  if (!isBanned) throw gone(account.userId);
}

/** Changes the item of an account's identity, unless it belongs to another account by now. */
async function changeIdentity(
  { userId, identity: { provider, id } }: AccountRow,
  act: Act,
  change: { readonly update: string; readonly names?: Record<string, string>; readonly values?: Item },
  condition = "userId = :userId",
): Promise<boolean> {
  const values = { ...change.values, ":userId": userId };
  const { committed } = await transact([
    { ...change, key: keys.identity(provider, id), condition, values },
    auditWrite(act, { ownerId: userId }),
  ]);
  return committed;
}

/**
 * Lifts the ban of the person of an account, or of a deleted account by its namespace. Returns no account for a deleted one.
 *
 * @throws ApiError `not_found` for an unknown name
 */
export async function unbanIdentity(
  name: string,
  act: Act,
): Promise<{ isLifted: boolean; account?: AccountRow }> {
  const namespace = name.toLowerCase();
  const named = await getItem(keys.namespace(namespace));
  const left = named?.bannedIdentity as AccountRow["identity"] | undefined;
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
  const account = await findAccountRow(name);
  if (account === undefined && named !== undefined)
    throw new ApiError("not_found", {
      message: `The account of ${namespace} was deleted, and is not banned.`,
    });
  if (account === undefined) throw gone(name);
  const isFound = "attribute_exists(bannedAtMs) AND userId = :userId";
  return { isLifted: await changeIdentity(account, act, { update: "REMOVE bannedAtMs" }, isFound), account };
}

/**
 * Ends all sessions of an account's person in browsers. The next request of each is sent to sign in. Tokens stay.
 *
 * @throws ApiError `not_found` if the account is being deleted
 */
export async function endSessions(account: AccountRow, act: Act): Promise<void> {
  const values = { ":now": act.atMs };
  if (!(await changeIdentity(account, act, { update: `SET ${sessionsEndedAttribute} = :now`, values })))
    throw gone(account.userId);
}

function gone(name: string): ApiError {
  return new ApiError("not_found", { message: `The account ${name} does not exist, or is being deleted.` });
}

function changedMeanwhile(namespace: string): ApiError {
  return new ApiError("precondition_failed", { message: `${namespace} was changed meanwhile. Try again.` });
}

/** Lists the cache items of an account's public page, drops and files, with those that other accounts transferred to it. */
export async function findAccountItems({
  userId,
  namespace,
}: Pick<AccountRow, "userId" | "namespace">): Promise<string[]> {
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
