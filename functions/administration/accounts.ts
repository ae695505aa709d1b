import pLimit from "p-limit";
import { type Blob, blobObjectKey } from "../blobs/blob.ts";
import { toBlob } from "../blobs/store.ts";
import { userIdOf } from "../people/accounts.ts";
import { keys, ranges } from "../table/keys.ts";
import { bannedAttribute, isSuspended } from "../table/suspension.ts";
import { getItem, type Item, queryAll } from "../table/table.ts";

/** An account as read from the table. The account may be suspended or being deleted. */
export type AccountRow = ReturnType<typeof toAccountRow>;

/** Finds an account by its user id or namespace. Returns undefined if it does not exist or was deleted. */
export async function findAccountRow(name: string): Promise<AccountRow | undefined> {
  const known = await getItem(keys.account(name));
  if (known) return toAccountRow(known);
  const { userId } = (await getItem(keys.namespace(name.toLowerCase()))) ?? {};
  const item = userId === undefined ? undefined : await getItem(keys.account(userId as string));
  return item && toAccountRow(item);
}

/** Checks whether an account is suspended. */
export async function isAccountSuspended(userId: string): Promise<boolean> {
  return isSuspended(await getItem(keys.account(userId)));
}

/** Checks whether an account holder is banned. */
export async function isBanned({ identity }: Pick<AccountRow, "identity">): Promise<boolean> {
  return (await getItem(keys.identity(identity.provider, identity.id)))?.[bannedAttribute] !== undefined;
}

/** Converts a table item to an account. */
export function toAccountRow(item: Item) {
  return {
    userId: userIdOf(item),
    namespace: item.namespace as string,
    isBeingDeleted: item.deletingAtMs !== undefined,
    isSuspended: isSuspended(item),
    /** The account holder's identity at the identity provider. */
    identity: { provider: item.provider as string, id: item.providerId as string },
    item,
  };
}

/** Lists all files of an account, including expired files. */
export async function listFiles(userId: string): Promise<Blob[]> {
  return (await queryAll(ranges.blobs(userId))).map(toBlob);
}

/** Lists all files that were ever transferred from a namespace to another account, with their current owners. Includes deleted files. */
export async function listMovedFiles(namespace: string) {
  const range = ranges.filePointers(namespace);
  return (await queryAll(range)).map(({ sk, ownerId }) => {
    const id = String(sk).slice(range.prefix.length);
    return { id, ownerId: ownerId as string, objectKey: blobObjectKey(namespace, id) };
  });
}

/** Runs `work` on all items with limited concurrency. Returns the results in the order of the items. */
export function mapInParallel<Thing, Result>(
  all: Iterable<Thing>,
  work: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
  return pLimit(16).map(all, work);
}
