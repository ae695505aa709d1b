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

/** Settings for an administrator's action on pages and files that may be in use. */
interface SuspensionOptions {
  readonly blobsBucket: string;
  /** Maximum remaining duration of requests that have already begun, in milliseconds. */
  readonly requestMsMax: number;
  /** Called with a sentence that describes each completed step. @default - the steps are not reported */
  readonly report?: ((line: string) => void) | undefined;
}

const mark = `SET ${suspendedAttribute} = if_not_exists(${suspendedAttribute}, :now)`;
const unmark = `REMOVE ${suspendedAttribute}`;

/**
 * Suspends an account. Marks the account first, so that nothing can be added while pages and files are being hidden. Can be repeated after
 * a failure.
 *
 * @throws ApiError `not_found` if the account does not exist or is being deleted, `precondition_failed` if it was unsuspended in the
 * meantime
 */
export async function suspendAccount(
  account: AccountRow,
  act: Act,
  options: SuspensionOptions,
): Promise<void> {
  const { userId, namespace } = account;
  const { blobsBucket, requestMsMax, report = () => {} } = options;
  const values = { ":now": act.atMs };
  const isThere = "attribute_exists(pk) AND attribute_not_exists(deletingAtMs)";
  const outcome = await transact([
    { key: keys.account(userId), update: mark, condition: isThere, values },
    { key: keys.namespace(namespace), update: mark, condition: "attribute_exists(pk)", values },
    auditWrite(act, { ownerId: userId }),
  ]);
  if (!outcome.committed) throw gone(userId);
  await hideAll(account, act.atMs, options);
  report("Waiting for running requests to end …");
  await sleep(requestMsMax);
  if (!(await isAccountSuspended(userId))) {
    await showAll(account, options);
    throw changedMeanwhile(namespace);
  }
  // Hides and invalidates again, because a request that began before the suspension may have stored a file or cached a response.
  await hideFiles(blobsBucket, account);
  await forgetItems(await findAccountItems(account));
  if (await isAccountSuspended(userId)) return;
  await showAll(account, options);
  throw changedMeanwhile(namespace);
}

/** Lifts a suspension. Unmarks the account last, so that after a failure the account stays suspended and the call can be repeated. */
export async function unsuspendAccount(
  account: AccountRow,
  act: Act,
  options: SuspensionOptions,
): Promise<void> {
  const { userId, namespace, item } = account;
  await showAll(account, options);
  const seen = { condition: `${suspendedAttribute} = :seen`, values: { ":seen": item[suspendedAttribute] } };
  const outcome = await transact([
    { key: keys.account(userId), update: unmark, ...seen },
    { key: keys.namespace(namespace), update: unmark, condition: "attribute_exists(pk)" },
    auditWrite(act, { ownerId: userId }),
  ]);
  if (outcome.committed) return;
  // Another administrator may have suspended the account again before this call restored its tokens and drops.
  if (await isAccountSuspended(userId)) await hideAll(account, act.atMs, options);
  throw changedMeanwhile(namespace);
}

/** Hides all pages and files of a suspended account, and suspends its tokens. */
async function hideAll(account: AccountRow, nowMs: number, options: SuspensionOptions): Promise<void> {
  const { userId } = account;
  const { blobsBucket, report = () => {} } = options;
  const values = { ":now": nowMs };
  report(`Tokens suspended: ${await updateTokens(userId, mark, values)}.`);
  report(`Drops hidden: ${await updatePointers(userId, mark, values)}.`);
  report(`Files hidden: ${await hideFiles(blobsBucket, account)}.`);
  await forgetItems(await findAccountItems(account));
}

/** Shows all pages and files of an account again, and restores its tokens. */
async function showAll(account: AccountRow, options: SuspensionOptions): Promise<void> {
  const { userId } = account;
  const { blobsBucket, report = () => {} } = options;
  report(`Files shown: ${await showFiles(blobsBucket, account)}.`);
  report(`Drops shown: ${await updatePointers(userId, unmark)}.`);
  report(`Tokens restored: ${await updateTokens(userId, unmark)}.`);
}

/** Refuses an account holder's sign-ins, even after the account is deleted. @throws ApiError `not_found` if the account is being deleted */
export async function banIdentity(account: AccountRow, act: Act): Promise<void> {
  const isBanned = await changeIdentity(account, act, {
    update: "SET bannedAtMs = if_not_exists(bannedAtMs, :now), #namespace = :namespace",
    names: { "#namespace": "namespace" },
    values: { ":now": act.atMs, ":namespace": account.namespace },
  });
  if (!isBanned) throw gone(account.userId);
}

/** Changes the stored identity of an account holder. Returns false if the identity now belongs to another account. */
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
 * Lifts the ban on an account holder. If the account was deleted, finds the person by the account's namespace and returns no account.
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
    // Removes the identity, so that the person's next sign-in creates a new account. The audit entry has no owner, because the deleted
    // account's id is unknown.
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
      message: `The account ${namespace} was deleted, and its holder is not banned.`,
    });
  if (account === undefined) throw gone(name);
  const isFound = "attribute_exists(bannedAtMs) AND userId = :userId";
  return { isLifted: await changeIdentity(account, act, { update: "REMOVE bannedAtMs" }, isFound), account };
}

/** Ends all browser sessions of an account holder. Tokens stay valid. @throws ApiError `not_found` if the account is being deleted */
export async function endSessions(account: AccountRow, act: Act): Promise<void> {
  const values = { ":now": act.atMs };
  if (!(await changeIdentity(account, act, { update: `SET ${sessionsEndedAttribute} = :now`, values })))
    throw gone(account.userId);
}

function gone(name: string): ApiError {
  return new ApiError("not_found", { message: `The account ${name} does not exist, or is being deleted.` });
}

function changedMeanwhile(namespace: string): ApiError {
  return new ApiError("precondition_failed", {
    message: `${namespace} was changed in the meantime. Try again.`,
  });
}

/** Lists the cached items of an account: its public page, and the drops and files that other accounts transferred to it. */
export async function findAccountItems({
  userId,
  namespace,
}: Pick<AccountRow, "userId" | "namespace">): Promise<string[]> {
  const pages = (await drops.list(userId)).map((drop) => ({ kind: "page" as const, ...drop }));
  const files = (await listFiles(userId)).map((file) => ({ kind: "file" as const, ...file }));
  // A transferred drop or file keeps the URL and the cache tag of its first owner.
  const fromOthers = [...pages, ...files].filter((kept) => kept.namespace !== namespace);
  return [tagItem(ownerTag(namespace)), ...itemsOf(fromOthers)];
}

/** Invalidates items in the edge's cache without a queue. */
export async function forgetItems(items: readonly string[]): Promise<void> {
  for (const invalidation of invalidationsOf(items, [randomUUID()])) await edgeCache.invalidate(invalidation);
}

/** Updates an account's tokens and returns how many were updated. Skips tokens that are revoked in the meantime. */
async function updateTokens(userId: string, update: string, values?: Item): Promise<number> {
  const rows = await queryAll(ranges.tokenRows(userId));
  const condition = "attribute_exists(pk)";
  return updateEach(rows.map(({ hash }) => ({ key: keys.token(hash as string), update, condition, values })));
}

/** Updates an account's drops, including the trash. Skips drops that were deleted or transferred in the meantime. Returns the count. */
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
