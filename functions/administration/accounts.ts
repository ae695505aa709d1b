import pLimit from "p-limit";
import { type Blob, blobObjectKey } from "../blobs/blob.ts";
import { toBlob } from "../blobs/store.ts";
import { userIdOf } from "../people/accounts.ts";
import { keys, ranges } from "../table/keys.ts";
import { bannedAttribute, isSuspended } from "../table/suspension.ts";
import { getItem, type Item, queryAll } from "../table/table.ts";

/** An account as its item holds it, whether it is being deleted or not. */
export type AccountRow = ReturnType<typeof toAccountRow>;

/** Finds the account of a user id or a namespace; undefined if it does not exist or was deleted. */
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

/** Checks whether an account's person is banned. */
export async function isBanned({ identity }: Pick<AccountRow, "identity">): Promise<boolean> {
  return (await getItem(keys.identity(identity.provider, identity.id)))?.[bannedAttribute] !== undefined;
}

/** The account of an item. */
export function toAccountRow(item: Item) {
  return {
    userId: userIdOf(item),
    namespace: item.namespace as string,
    isBeingDeleted: item.deletingAtMs !== undefined,
    isSuspended: isSuspended(item),
    /** The key of the item that leads from the identity provider's id to the account. */
    identity: { provider: item.provider as string, id: item.providerId as string },
    item,
  };
}

/** Every file of an account, expired ones too. */
export async function listFiles(userId: string): Promise<Blob[]> {
  return (await queryAll(ranges.blobs(userId))).map(toBlob);
}

/** Every file of a namespace that was ever transferred, of any present owner, also if it was deleted since. */
export async function listMovedFiles(namespace: string) {
  const range = ranges.filePointers(namespace);
  return (await queryAll(range)).map(({ sk, ownerId }) => {
    const id = String(sk).slice(range.prefix.length);
    return { id, ownerId: ownerId as string, objectKey: blobObjectKey(namespace, id) };
  });
}

const atOnceMax = 16;

/** Runs work on all things, some at a time, and returns the results in their order. */
export function mapInParallel<Thing, Result>(
  all: Iterable<Thing>,
  work: (thing: Thing) => Promise<Result>,
): Promise<Result[]> {
  return pLimit(atOnceMax).map(all, work);
}
