import { keys } from "../table/keys.ts";
import { bannedAttribute, isSuspended } from "../table/suspension.ts";
import { getItem, getItems, type Item } from "../table/table.ts";
import { type Identity, lastIdentityOf, removedAttribute } from "./accounts.ts";
import {
  foldUsername,
  memberKey,
  memberNamesOf,
  memberRules,
  resolveMembership,
  toEntries,
} from "./members.ts";
import type { ReaderSession } from "./reader-sessions.ts";
import { emailDomainOf, isOpenToAll, type ReaderRule, type Visibility } from "./visibility.ts";

/** Somebody who has signed in to read, and what is so of them now. */
export interface Reader {
  readonly identity: Identity;
  /** Their account, where they have one. */
  readonly userId: string | undefined;
  /** Of that account. @default - they have none */
  readonly namespace?: string | undefined;
  readonly isMember: boolean;
  /** Whether the operator has shut them out: removed for good, banned or suspended. */
  readonly isBarred: boolean;
}

/** What has an owner and readers: a drop, or a file. */
interface Readable {
  readonly ownerId: string;
  readonly visibility: Visibility;
}

/** Whether somebody may read something; undefined for who has not said who they are. A passcode is another matter. */
export function mayRead(thing: Readable, reader: Reader | undefined): boolean {
  if (isOpenToAll(thing)) return true;
  if (reader === undefined || reader.isBarred) return false;
  if (reader.userId === thing.ownerId) return true;
  const { visibility } = thing;
  if (visibility.kind === "people") return visibility.readers.some((rule) => names(rule, reader.identity));
  return visibility.kind === "members" && reader.isMember;
}

/** Whether a rule names somebody; it is in lower case already, and so are the addresses that a provider has verified. */
function names(rule: ReaderRule, { emails, username }: Identity): boolean {
  switch (rule.kind) {
    case "email":
      return emails.includes(rule.email);
    case "domain":
      return emails.some((email) => emailDomainOf(email) === rule.domain);
    case "username":
      return foldUsername(username) === rule.username;
  }
}

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
  const membership = resolveMembership(identity, memberRules(), {
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
