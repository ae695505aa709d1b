import { type Identity, removedAttribute } from "../accounts/identity.ts";
import { lastIdentityOf } from "../accounts/store.ts";
import { judgeMembership, memberNamesOf } from "../members/rules.ts";
import { memberKey, memberRules, toEntries } from "../members/store.ts";
import { keys } from "../platform/keys.ts";
import { bannedAttribute, isSuspended } from "../platform/suspension.ts";
import { getItem, getItems, type Item } from "../platform/table.ts";
import type { Reader } from "./may-read.ts";
import type { ReaderSession } from "./session.ts";

/**
 * What is so of a session's reader now: a membership, a ban and an account may have come or gone since they signed in. One
 * round trip; one more where their account is younger than the session.
 */
export async function findReader({
  identity,
  userId,
}: Pick<ReaderSession, "identity" | "userId">): Promise<Reader> {
  const own = keys.identity(identity.provider, identity.id);
  const account = userId === undefined ? [] : [keys.account(userId)];
  const items = await getItems([own, ...account, ...memberNamesOf(identity).map(memberKey)]);
  const itself = items.find(({ pk }) => pk === own.pk);
  const owned = await findAccount(itself?.userId as string | undefined, items);
  const membership = judgeMembership(identity, memberRules(), {
    entries: items.flatMap(toEntries),
    isRemoved: itself?.[removedAttribute] !== undefined,
  });
  const isRemoved = !membership.isMember && membership.reason === "removed";
  const isLeaving = owned?.deletingAtMs !== undefined;
  return {
    identity,
    userId: isLeaving ? undefined : (itself?.userId as string | undefined),
    namespace: isLeaving ? undefined : (owned?.namespace as string | undefined),
    isMember: membership.isMember,
    isBarred: isRemoved || itself?.[bannedAttribute] !== undefined || isSuspended(owned),
  };
}

/** Whom an account is of, as a reader: by what the provider said at the last sign-in. Undefined where it is gone. */
export async function findAccountReader(userId: string): Promise<Reader | undefined> {
  const account = await getItem(keys.account(userId));
  return account && findReader({ identity: lastIdentityOf(account), userId });
}

/** The account of somebody who signs in to read; undefined where they have none. */
export async function findUserId({ provider, id }: Identity): Promise<string | undefined> {
  return (await getItem(keys.identity(provider, id)))?.userId as string | undefined;
}

async function findAccount(userId: string | undefined, seen: readonly Item[]): Promise<Item | undefined> {
  if (userId === undefined) return undefined;
  const { pk } = keys.account(userId);
  return seen.find((item) => item.pk === pk) ?? getItem(keys.account(userId));
}
