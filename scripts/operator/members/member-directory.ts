import pLimit from "p-limit";
import {
  type Identity,
  isSamePerson,
  lastIdentityOf,
  membershipEndedAttribute,
  removedAttribute,
} from "../../../functions/identity/accounts.ts";
import {
  findStanding,
  isSameName,
  type MemberEntry,
  type Membership,
  toEntries,
} from "../../../functions/identity/members.ts";
import { foldUsername } from "../../../functions/policies/access.ts";
import { keys, ranges } from "../../../functions/table/keys.ts";
import type { Item } from "../../../functions/table/table.ts";
import { findItems } from "../table-reads.ts";
import { toUser, type User } from "../users.ts";
import type { WrittenName } from "./member-name.ts";

/** Operator's decision about a name, with its time. */
export interface StoredEntry extends MemberEntry {
  readonly addedAtMs?: number | undefined;
  /** ARN of the operator. */
  readonly addedBy?: string | undefined;
  /** Account whose removal has barred this name. @default - an operator has barred the name itself */
  readonly deniedFor?: string | undefined;
}

/** An account, and whether its person is a member by what the provider said at the last sign-in and what SCIM says now. */
export interface AccountMembership {
  readonly user: User;
  readonly identity: Identity;
  readonly membership: Membership;
  readonly isRemoved: boolean;
  /** The account is barred from getting tokens. */
  readonly isEnded: boolean;
  readonly tokenCount: number;
}

/** Operators' decisions, and all accounts. */
export interface MemberDirectory {
  readonly entries: readonly StoredEntry[];
  readonly accounts: readonly AccountMembership[];
}

/** Reads the whole table, as members are looked up by identity otherwise. Includes everything written before the start. */
export async function readMemberDirectory(): Promise<MemberDirectory> {
  const account = keys.account("");
  const items = await findItems(
    "sk IN (:account, :identity, :member) OR begins_with(sk, :token)",
    {
      ":account": account.sk,
      ":identity": keys.identity("", "").sk,
      ":member": keys.member("", "").sk,
      ":token": tokenPrefix,
    },
    { isConsistent: true },
  );
  const entries = items.flatMap(toStoredEntries);
  const removed = new Set(items.filter((item) => item[removedAttribute] !== undefined).map(({ pk }) => pk));
  const tokenCounts = Map.groupBy(
    items.filter(({ sk }) => sk.startsWith(tokenPrefix)),
    ({ pk }) => pk,
  );
  const owners = items.filter(({ sk }) => sk === account.sk);
  const accounts = await pLimit(accountsAtOnce).map(owners, async (item): Promise<AccountMembership> => {
    const { identity, membership } = await findStanding(lastIdentityOf(item));
    return {
      user: toUser(item),
      identity,
      isRemoved: removed.has(keys.identity(identity.provider, identity.id).pk),
      isEnded: item[membershipEndedAttribute] !== undefined,
      membership,
      tokenCount: tokenCounts.get(item.pk)?.length ?? 0,
    };
  });
  return { entries, accounts };
}

const accountsAtOnce = 20;

/** Accounts whose person has the name now, or had it when they were admitted by it. */
export function accountsOf({ entries, accounts }: MemberDirectory, name: WrittenName): AccountMembership[] {
  const bound = entries.find((entry) => isSameName(entry, name))?.boundTo;
  return accounts.filter(
    ({ user, identity }) =>
      hasName(user, identity, name) || (bound !== undefined && isSamePerson(bound, identity)),
  );
}

/** Matches a name with a person and their account, if they have one. */
export function hasName(user: User | undefined, identity: Identity, { kind, value }: WrittenName): boolean {
  switch (kind) {
    case "account":
      return user !== undefined && (user.userId === value || user.namespace === value.toLowerCase());
    case "username":
      return foldUsername(identity.username) === value;
    case "email":
      return identity.emails.includes(value);
    case "group":
      return identity.groups.includes(value);
  }
}

const tokenPrefix = ranges.tokenRows("").prefix;

function toStoredEntries(item: Item): StoredEntry[] {
  return toEntries(item).map((entry) => ({
    ...entry,
    addedAtMs: item.addedAtMs as number | undefined,
    addedBy: item.addedBy as string | undefined,
    deniedFor: item.deniedFor as string | undefined,
  }));
}
