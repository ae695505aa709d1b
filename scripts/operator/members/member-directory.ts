import { type AccountRow, mapInParallel, toAccountRow } from "../../../functions/administration/accounts.ts";
import {
  groupCharactersMax,
  type Identity,
  isSamePerson,
  lastIdentityOf,
  membershipEndedAttribute,
  removedAttribute,
} from "../../../functions/people/accounts.ts";
import { parseEmailAddress } from "../../../functions/people/email-addresses.ts";
import {
  findStanding,
  isSameName,
  type MemberEntry,
  type MemberName,
  type Membership,
  memberRules,
  toEntries,
} from "../../../functions/people/members.ts";
import { foldUsername } from "../../../functions/policies/access.ts";
import { keys, ranges } from "../../../functions/table/keys.ts";
import { formatUtc, quote, UsageError } from "../command.ts";
import { findItems, nameOfUser } from "../table-reads.ts";

/** Operator's decision about a name, with its time. */
interface StoredEntry extends MemberEntry {
  readonly addedAtMs?: number | undefined;
  /** ARN of the operator. */
  readonly addedBy?: string | undefined;
  /** Account whose removal has barred this name. @default - an operator has barred the name itself */
  readonly deniedFor?: string | undefined;
}

/** Operators' decisions, and all accounts. */
export type MemberDirectory = Awaited<ReturnType<typeof readMemberDirectory>>;

/** An account, and whether its person is a member by what the provider said at the last sign-in and what SCIM says now. */
export type AccountMembership = MemberDirectory["accounts"][number];

/** Reads the whole table, as members are looked up by identity otherwise. Includes everything written before the start. */
export async function readMemberDirectory() {
  const [account, tokenPrefix] = [keys.account(""), ranges.tokenRows("").prefix];
  const items = await findItems(
    "sk IN (:account, :member) OR begins_with(sk, :token)",
    { ":account": account.sk, ":member": keys.member("", "").sk, ":token": tokenPrefix },
    { isConsistent: true },
  );
  const entries = items.flatMap((item) =>
    toEntries(item).map((entry): StoredEntry => ({ ...item, ...entry })),
  );
  const tokens = Map.groupBy(
    items.filter(({ sk }) => sk.startsWith(tokenPrefix)),
    ({ pk }) => pk,
  );
  const owners = items.filter(({ sk }) => sk === account.sk);
  const accounts = await mapInParallel(owners, async (item) => {
    const { identity, membership, items: standing } = await findStanding(lastIdentityOf(item));
    return {
      user: toAccountRow(item),
      identity,
      membership,
      isRemoved: standing.some((row) => row[removedAttribute] !== undefined),
      /** The account is barred from getting tokens. */
      isEnded: item[membershipEndedAttribute] !== undefined,
      tokenCount: tokens.get(item.pk)?.length ?? 0,
    };
  });
  return { entries, accounts };
}

/** Accounts whose person has the name now, or had it when they were admitted by it. */
export function accountsOf({ entries, accounts }: MemberDirectory, name: WrittenName): AccountMembership[] {
  const bound = entries.find((entry) => isSameName(entry, name))?.boundTo;
  return accounts.filter(
    ({ user, identity }) =>
      hasName(user, identity, name) || (bound !== undefined && isSamePerson(bound, identity)),
  );
}

/** Matches a name with a person and their account, if they have one. */
export function hasName(
  user: AccountRow | undefined,
  identity: Identity,
  { kind, value }: WrittenName,
): boolean {
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

/** Name of a person or group as an operator writes it: that of the identity provider, or an account. */
export type WrittenName = MemberName | { readonly kind: "account"; readonly value: string };

/** The kinds of names, as an operator reads them. */
const labels = { username: "user name", email: "e-mail", group: "group", account: "account" } as const;

/** Reads a name as an operator writes it: `ada`, `ada@example.com`, or with its kind in front, such as `group:writers`. */
export function parseMemberName(written: string): WrittenName {
  const kinds = Object.keys(labels) as WrittenName["kind"][];
  const prefix = kinds.find((kind) => written.startsWith(`${kind}:`));
  const rest = (prefix === undefined ? written : written.slice(prefix.length + 1)).trim();
  const kind = prefix ?? (rest.includes("@") ? "email" : "username");
  if (rest === "")
    throw new UsageError(`${quote(written)} names nobody: write such as ada or group:writers.`);
  if (kind === "email") return { kind, value: parseAddress(rest) };
  if (kind === "username") return { kind, value: foldUsername(rest) };
  if (kind === "group" && rest.length > groupCharactersMax)
    throw new UsageError(`No group has more than ${groupCharactersMax} characters.`);
  return { kind, value: rest };
}

/** Reads the name of one person as `parseMemberName` does. Throws for a group too. */
export function parsePersonName(written: string): WrittenName {
  const name = parseMemberName(written);
  if (name.kind !== "group") return name;
  throw new UsageError("Name one person: ada, ada@example.com or account:ada.");
}

function parseAddress(written: string): string {
  if (written.startsWith("@"))
    throw new UsageError(
      `${quote(written)} is a whole domain: that is for the settings, members: { emailDomains: [${quote(written.slice(1))}] }.`,
    );
  const address = parseEmailAddress(written);
  if (address !== undefined) return address;
  throw new UsageError(
    `${quote(written)} is no e-mail address: write it in ASCII, such as ada@example.com. A user name with an at sign is username:${written}`,
  );
}

/** A name as an operator reads it. */
export function describeName({ kind, value }: WrittenName): string {
  return `${labels[kind]} ${quote(value)}`;
}

/** Describes who may publish and why: the rules of the settings, what operators have said, and each account. */
export function describeMembers(directory: MemberDirectory): string[] {
  const { entries, accounts } = directory;
  const inOrder = <Value>(all: readonly Value[], by: (value: Value) => string) =>
    all.toSorted((one, other) => (by(one) < by(other) ? -1 : 1));
  const members = accounts.filter(({ membership }) => membership.isMember);
  return [
    describeRules(),
    ...inOrder(entries, describeName).map((entry) => describeEntry(entry, directory)),
    ...inOrder(accounts, ({ user }) => user.namespace).map(describeAccount),
    `Entries: ${entries.length}. Accounts of members: ${members.length} of ${accounts.length}.`,
  ];
}

function describeRules(): string {
  const rules = memberRules();
  if (rules === "anyone") return "settings: anyone who can sign in, except those who are barred";
  const sets = [
    ...rules.emailDomains.map((domain) => `e-mail domain ${quote(domain)}`),
    ...rules.organizations.map((name) => `organization ${quote(name)}`),
    ...rules.groups.map((group) => `group ${quote(group)}`),
  ];
  return `settings: ${sets.length === 0 ? "nobody" : sets.join(", ")}`;
}

function describeEntry(entry: StoredEntry, { accounts }: MemberDirectory): string {
  const { addedAtMs, addedBy, deniedAtMs, boundTo } = entry;
  const owner = boundTo && accounts.find(({ identity }) => isSamePerson(boundTo, identity));
  const facts =
    deniedAtMs === undefined
      ? [
          addedAtMs !== undefined && `added ${formatUtc(addedAtMs)}`,
          addedBy !== undefined && `by ${addedBy}`,
          owner !== undefined && `is ${owner.user.namespace}`,
        ]
      : [`kept out ${formatUtc(deniedAtMs)}`];
  return [`entry    ${describeName(entry)}`, ...facts.filter((fact) => fact !== false)].join("  ");
}

function describeAccount({ user, membership, tokenCount }: AccountMembership): string {
  const tokens = tokenCount === 1 ? "1 token" : `${tokenCount} tokens`;
  const left = !membership.isMember && tokenCount > 0 ? ": good until they are revoked" : "";
  return `account  ${nameOfUser(user)}  ${describeMembership(membership)}  ${tokens}${left}`;
}

/** Describes a membership and its reason in a few words. */
export function describeMembership(membership: Membership): string {
  if (!membership.isMember) return membership.reason === "unknown" ? "no member" : membership.reason;
  const { ground } = membership;
  switch (ground.kind) {
    case "anyone":
      return "member (everyone may publish)";
    case "entry":
      return `member by the entry ${describeName(ground.entry)}`;
    default:
      return `member by the ${ground.kind} ${quote(ground.value)}`;
  }
}
