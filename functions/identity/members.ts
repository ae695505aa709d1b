import { environmentNames, findEnvironment, type MemberRules } from "../http/environment.ts";
import { rememberGroups } from "../table/groups.ts";
import { type Key, keys } from "../table/keys.ts";
import { getItems, type Item, RetryableError, retryConflicts } from "../table/table.ts";
import { type TransactionWrite, updateItem } from "../table/table-writes.ts";
import { type Identity, removedAttribute } from "./accounts.ts";
import { emailDomainOf, toLowerAscii } from "./visibility.ts";

/** Name by which the operator admits or bars people. */
export interface MemberName {
  readonly kind: "username" | "email" | "group";
  /** As it is compared. */
  readonly value: string;
}

/** Operator's decision about a name. */
export interface MemberEntry extends MemberName {
  /** Time since which the name is barred. @default - it is not barred */
  readonly deniedAtMs?: number | undefined;
  /** Identity that first signed in with the username. Later holders of the name are other people. @default - none yet */
  readonly boundTo?: IdentityKey | undefined;
}

/** By what the identity provider tells one person from another, for good. */
export interface IdentityKey {
  readonly provider: string;
  readonly id: string;
}

/** By what somebody is a member. */
export type MembershipReason =
  | { readonly kind: "entry"; readonly entry: MemberEntry }
  | { readonly kind: "email domain" | "organization" | "group"; readonly value: string }
  | { readonly kind: "anyone" };

/** Membership and its reason. */
export type Membership =
  | { readonly isMember: true; readonly ground: MembershipReason }
  | { readonly isMember: false; readonly reason: "unknown" | "removed" };

/** Facts about a person beside the provider's. */
export interface MemberFacts {
  /** Those of the names of the identity. */
  readonly entries: readonly MemberEntry[];
  /** The operator has removed this identity. */
  readonly isRemoved: boolean;
}

/** A user name as it is compared. */
export function foldUsername(username: string): string {
  return toLowerAscii(username.trim());
}

/** The names that somebody may have been let in by, or kept out by. */
export function memberNamesOf({ username, emails, groups }: Identity): MemberName[] {
  const folded = foldUsername(username);
  return [
    ...(folded === "" ? [] : [{ kind: "username", value: folded } as const]),
    ...emails.map((value) => ({ kind: "email", value }) as const),
    ...groups.map((value) => ({ kind: "group", value }) as const),
  ];
}

/** Decides the membership. Removed identities are never members. */
export function resolveMembership(identity: Identity, rules: MemberRules, facts: MemberFacts): Membership {
  const names = memberNamesOf(identity);
  const entries = facts.entries.filter(
    (entry) => names.some((name) => isSameName(name, entry)) && isFor(entry, identity),
  );
  if (facts.isRemoved || entries.some(({ deniedAtMs }) => deniedAtMs !== undefined))
    return { isMember: false, reason: "removed" };
  const ground = entryGround(entries) ?? ruleGround(identity, rules);
  return ground === undefined ? { isMember: false, reason: "unknown" } : { isMember: true, ground };
}

/** Reason of an entry that names the person. Bound entries come first, since they cannot change hands. */
function entryGround(entries: readonly MemberEntry[]): MembershipReason | undefined {
  const entry = entries.find(({ boundTo }) => boundTo !== undefined) ?? entries[0];
  return entry && { kind: "entry", entry };
}

function ruleGround(
  { emails, organizations, groups }: Identity,
  rules: MemberRules,
): MembershipReason | undefined {
  if (rules === "anyone") return { kind: "anyone" };
  const domain = emails.map(emailDomainOf).find((one) => rules.emailDomains.includes(one));
  if (domain !== undefined) return { kind: "email domain", value: domain };
  const organization = organizations.find((one) => rules.organizations.includes(one));
  if (organization !== undefined) return { kind: "organization", value: organization };
  const group = groups.find((one) => rules.groups.includes(one));
  return group === undefined ? undefined : { kind: "group", value: group };
}

/** Matches an entry with the present holder of the name. */
function isFor({ boundTo }: MemberEntry, { provider, id }: IdentityKey): boolean {
  return boundTo === undefined || isSamePerson(boundTo, { provider, id });
}

/** Compares two identity keys. */
export function isSamePerson(one: IdentityKey, other: IdentityKey): boolean {
  return one.provider === other.provider && one.id === other.id;
}

/** A name of any kind: an operator may write more of them than there are entries of. */
interface AnyName {
  readonly kind: string;
  readonly value: string;
}

/** Compares two names. */
export function isSameName(one: AnyName, other: AnyName): boolean {
  return one.kind === other.kind && one.value === other.value;
}

/** Checks the membership in one round trip. Members may publish and read drops for members. */
export async function isMember(identity: Identity): Promise<boolean> {
  return (await look(identity)).membership.isMember;
}

/** Outcome of an admission. */
export type Admission =
  /** `holds` goes into the transaction that lets them in: it fails where they have been removed meanwhile. */
  { readonly isMember: true; readonly holds: readonly TransactionWrite[] } | { readonly isMember: false };

/**
 * Decides an admission and binds the username to the identity: later holders of the name are other people. The person's groups are known
 * from then on.
 */
export async function admit(identity: Identity): Promise<Admission> {
  if (identity.groups.length > 0) await rememberGroups(identity.groups);
  return retryConflicts(async () => {
    const seen = await look(identity);
    if (!seen.membership.isMember) return { isMember: false };
    const { ground } = seen.membership;
    const entry = ground.kind === "entry" ? ground.entry : undefined;
    const isBound = entry?.kind !== "username" || entry.boundTo !== undefined;
    if (!isBound && !(await bind(entry, identity))) throw new RetryableError();
    return { isMember: true, holds: [notRemoved(identity), ...holdsOf(seen, entry)] };
  });
}

/** Entries for a person's names. */
interface Seen {
  readonly names: readonly MemberName[];
  readonly entries: readonly MemberEntry[];
  readonly membership: Membership;
}

async function look(identity: Identity): Promise<Seen> {
  const names = memberNamesOf(identity);
  const own = keys.identity(identity.provider, identity.id);
  const items = await getItems([own, ...names.map(memberKey)]);
  const isRemoved = items.some((item) => item.pk === own.pk && item[removedAttribute] !== undefined);
  const entries = items.flatMap(toEntries);
  return { names, entries, membership: resolveMembership(identity, memberRules(), { entries, isRemoved }) };
}

/**
 * Binds a name to an identity. Of two concurrent people the first succeeds; false for the other, and after the
 * operator's change.
 */
async function bind(name: MemberName, { provider, id }: Identity): Promise<boolean> {
  const outcome = await updateItem({
    key: memberKey(name),
    update: "SET boundTo = :own",
    condition: `${isLetIn} AND attribute_not_exists(boundTo)`,
    values: { ":own": { provider, id } },
  });
  return outcome.updated;
}

function notRemoved({ provider, id }: Identity): TransactionWrite {
  return { check: keys.identity(provider, id), condition: `attribute_not_exists(${removedAttribute})` };
}

const isLetIn = "attribute_exists(pk) AND attribute_not_exists(deniedAtMs)";

/** True if an entry still admits the person and no name bars them. Groups never bar anybody. */
function holdsOf({ names, entries }: Seen, entry: MemberEntry | undefined): TransactionWrite[] {
  const isOthers = (name: MemberName) =>
    entries.some((one) => isSameName(one, name) && one.boundTo !== undefined);
  const isEntry = (name: MemberName) => entry !== undefined && isSameName(name, entry);
  return [
    ...(entry === undefined ? [] : [{ check: memberKey(entry), condition: isLetIn }]),
    ...names
      .filter((name) => name.kind !== "group" && !isEntry(name) && !isOthers(name))
      .map((name) => ({ check: memberKey(name), condition: "attribute_not_exists(deniedAtMs)" })),
  ];
}

/** The key of what the operator has said of a name. */
export function memberKey({ kind, value }: MemberName): Key {
  return keys.member(kind, value);
}

/** Reads the entries of a member's item; none from other items. */
export function toEntries(item: Item): MemberEntry[] {
  const [family, kind, ...value] = String(item.pk).split("#");
  if (family !== "MEMBER") return [];
  return [
    {
      kind: kind as MemberName["kind"],
      value: value.join("#"),
      deniedAtMs: item.deniedAtMs as number | undefined,
      boundTo: item.boundTo as MemberEntry["boundTo"],
    },
  ];
}

/** Sets of people in the settings. Without them, only added people are members. */
export function memberRules(): MemberRules {
  const said = findEnvironment(environmentNames.members);
  return said === undefined ? { emailDomains: [], organizations: [], groups: [] } : JSON.parse(said);
}
