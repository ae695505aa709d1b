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
import { formatUtc, quote, sortBy, UsageError } from "../command.ts";
import { findItems, nameOfUser } from "../table-reads.ts";

/** An operator's decision about a name. */
interface StoredEntry extends MemberEntry {
  readonly addedAtMs?: number | undefined;
  /** ARN of the operator. */
  readonly addedBy?: string | undefined;
  /** The account whose removal barred this name. @default - the name was barred on its own */
  readonly deniedFor?: string | undefined;
}

/** Operators' decisions, and all accounts. */
export type MemberDirectory = Awaited<ReturnType<typeof readMemberDirectory>>;

/** An account, and whether its person is a member according to the last sign-in and to SCIM. */
export type AccountMembership = MemberDirectory["accounts"][number];

/** Reads all accounts and all operators' decisions from the whole table, with strongly consistent reads. */
export async function readMemberDirectory() {
  const [account, tokenPrefix] = [keys.account(""), ranges.tokenRows("").prefix];
  const items = await findItems(
    "sk IN (:account, :member) OR begins_with(sk, :token)",
    { ":account": account.sk, ":member": keys.member("", "").sk, ":token": tokenPrefix },
    true,
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
      /** True if the account cannot get tokens. */
      isEnded: item[membershipEndedAttribute] !== undefined,
      tokenCount: tokens.get(item.pk)?.length ?? 0,
    };
  });
  return { entries, accounts };
}

/** Finds accounts whose person has this name now, or was admitted because of this name. */
export function accountsOf({ entries, accounts }: MemberDirectory, name: WrittenName): AccountMembership[] {
  const bound = entries.find((entry) => isSameName(entry, name))?.boundTo;
  return accounts.filter(
    ({ user, identity }) =>
      hasName(user, identity, name) || (bound !== undefined && isSamePerson(bound, identity)),
  );
}

/** Returns true if a person or their account has the name. */
export function hasName(
  user: AccountRow | undefined,
  { username, emails, groups }: Identity,
  { kind, value }: WrittenName,
): boolean {
  if (kind === "account")
    return user !== undefined && (user.userId === value || user.namespace === value.toLowerCase());
  if (kind === "username") return foldUsername(username) === value;
  return (kind === "email" ? emails : groups).includes(value);
}

/** Name that an operator enters: the name of a person or group at the identity provider, or of an account. */
export type WrittenName = MemberName | { readonly kind: "account"; readonly value: string };

/** Labels for the kinds of names in a command's output. */
const labels = { username: "user name", email: "e-mail", group: "group", account: "account" } as const;

/** Parses a name that an operator enters, such as `ada`, `ada@example.com` or `group:writers`. */
export function parseMemberName(written: string): WrittenName {
  const kinds = Object.keys(labels) as WrittenName["kind"][];
  const prefix = kinds.find((kind) => written.startsWith(`${kind}:`));
  const rest = (prefix === undefined ? written : written.slice(prefix.length + 1)).trim();
  const kind = prefix ?? (rest.includes("@") ? "email" : "username");
  if (rest === "")
    throw new UsageError(`${quote(written)} is not a name. Use a name such as ada or group:writers.`);
  if (kind === "email") return { kind, value: parseAddress(rest) };
  if (kind === "username") return { kind, value: foldUsername(rest) };
  if (kind === "group" && rest.length > groupCharactersMax)
    throw new UsageError(`A group name has at most ${groupCharactersMax} characters.`);
  return { kind, value: rest };
}

/** Parses a person's name like `parseMemberName`. Throws for the name of a group. */
export function parsePersonName(written: string): WrittenName {
  const name = parseMemberName(written);
  if (name.kind !== "group") return name;
  throw new UsageError("Name one person, such as ada, ada@example.com or account:ada.");
}

function parseAddress(written: string): string {
  if (written.startsWith("@"))
    throw new UsageError(
      `${quote(written)} is a whole domain. Admit it in the settings: members: { emailDomains: [${quote(written.slice(1))}] }.`,
    );
  const address = parseEmailAddress(written);
  if (address !== undefined) return address;
  throw new UsageError(
    `${quote(written)} is not an e-mail address. Write it in ASCII, such as ada@example.com. For a user name with an at sign, write username:${written}`,
  );
}

/** Formats a name with its kind for the output. */
export function describeName({ kind, value }: WrittenName): string {
  return `${labels[kind]} ${quote(value)}`;
}

/** Describes who may publish and why: the rules of the settings, operators' decisions, and each account. */
export function describeMembers(directory: MemberDirectory): string[] {
  const { entries, accounts } = directory;
  const members = accounts.filter(({ membership }) => membership.isMember);
  return [
    describeRules(),
    ...sortBy(entries, describeName).map((entry) => describeEntry(entry, directory)),
    ...sortBy(accounts, ({ user }) => user.namespace).map(describeAccount),
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
  const name = `entry    ${describeName(entry)}`;
  if (deniedAtMs !== undefined) return `${name}  barred ${formatUtc(deniedAtMs)}`;
  const owner = boundTo && accounts.find(({ identity }) => isSamePerson(boundTo, identity));
  const facts = [
    addedAtMs !== undefined && `added ${formatUtc(addedAtMs)}`,
    addedBy !== undefined && `by ${addedBy}`,
    owner !== undefined && `is ${owner.user.namespace}`,
  ];
  return [name, ...facts.filter((fact) => fact !== false)].join("  ");
}

function describeAccount({ user, membership, tokenCount }: AccountMembership): string {
  const tokens = tokenCount === 1 ? "1 token" : `${tokenCount} tokens`;
  const left = !membership.isMember && tokenCount > 0 ? ", valid until revoked" : "";
  return `account  ${nameOfUser(user)}  ${describeMembership(membership)}  ${tokens}${left}`;
}

/** Describes a membership and its reason in a few words. */
export function describeMembership(membership: Membership): string {
  if (!membership.isMember) return membership.reason === "unknown" ? "not a member" : membership.reason;
  const { ground } = membership;
  switch (ground.kind) {
    case "anyone":
      return "member (everyone may publish)";
    case "entry":
      return `member through the entry ${describeName(ground.entry)}`;
    default:
      return `member through the ${ground.kind} ${quote(ground.value)}`;
  }
}
