import { keys } from "../../functions/table/keys.ts";
import { isSuspended } from "../../functions/table/suspension.ts";
import { getItem, type Item } from "../../functions/table/table.ts";

/** An account as its item holds it, whether it is being deleted or not. */
export interface User {
  readonly userId: string;
  readonly namespace: string;
  readonly isBeingDeleted: boolean;
  readonly isSuspended: boolean;
  /** The key of the item that leads from the identity provider's id to the account. */
  readonly identity: { readonly provider: string; readonly id: string };
  readonly item: Item;
}

/**
 * The account of a user id or a namespace.
 *
 * @throws Error if it does not exist or was deleted
 */
export async function findUser(name: string): Promise<User> {
  const user = (await findByUserId(name)) ?? (await findByNamespace(name));
  if (user) return user;
  throw new Error(`There is no account with the user id or the namespace ${JSON.stringify(name)}.`);
}

async function findByNamespace(name: string): Promise<User | undefined> {
  const item = await getItem(keys.namespace(name.toLowerCase()));
  if (item === undefined) return undefined;
  if (item.userId !== undefined) return findByUserId(item.userId as string);
  const deletedAt = new Date(item.deletedAtMs as number).toISOString();
  throw new Error(`The account of ${name} was deleted at ${deletedAt}. The namespace stays reserved.`);
}

async function findByUserId(userId: string): Promise<User | undefined> {
  const item = await getItem(keys.account(userId));
  return item && toUser(item);
}

/** The user id of an item in an account's partition. */
export function userIdOf({ pk }: Item): string {
  return String(pk).slice(keys.account("").pk.length);
}

/** The account of an item. */
export function toUser(item: Item): User {
  return {
    userId: userIdOf(item),
    namespace: item.namespace as string,
    isBeingDeleted: item.deletingAtMs !== undefined,
    isSuspended: isSuspended(item),
    identity: { provider: item.provider as string, id: item.providerId as string },
    item,
  };
}
