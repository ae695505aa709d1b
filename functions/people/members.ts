import { createHash } from "node:crypto";
import { environmentNames, findEnvironment, type MemberRules, type MemberSets } from "../core/environment.ts";
import { emailDomainOf, foldUsername, toLowerAscii } from "../policies/access.ts";
import { type Key, keys } from "../table/keys.ts";
import { getItems, type Item } from "../table/table.ts";
import { type Identity, type IdentityKey, isSamePerson, removedAttribute } from "./accounts.ts";
import { type ProvisionedPerson, toPerson } from "./provisioned-person.ts";

/** Name by which the operator admits or bars people. */
export interface MemberName {
  readonly kind: "username" | "email" | "group";
  /** The normalized form, for comparisons. */
  readonly value: string;
}

/** Operator's decision about a name. */
export interface MemberEntry extends MemberName {
  /** Time since which the name is barred. @default - it is not barred */
  readonly deniedAtMs?: number | undefined;
  /** Identity that first signed in with the username. Later holders of the name are other people. @default - none yet */
  readonly boundTo?: IdentityKey | undefined;
}

/** Reason why a person is a member. */
export type MembershipReason =
  | { readonly kind: "entry"; readonly entry: MemberEntry }
  | { readonly kind: "email domain" | "organization" | "group"; readonly value: string }
  | { readonly kind: "anyone" };

/** Membership and its reason. */
export type Membership =
  | { readonly isMember: true; readonly ground: MembershipReason }
  | { readonly isMember: false; readonly reason: "unknown" | "removed" | "deactivated" };

/** Facts about a person beside the provider's. */
export interface MemberFacts {
  /** Entries of the identity's names. */
  readonly entries: readonly MemberEntry[];
  /** The operator has removed this identity. */
  readonly isRemoved: boolean;
  /** SCIM says that the person is not active. @default false */
  readonly isDeactivated?: boolean;
}

/** Names by which an operator can admit or bar the identity. */
export function memberNamesOf({ username, emails, groups }: Identity): MemberName[] {
  const folded = foldUsername(username);
  return [
    ...(folded === "" ? [] : [{ kind: "username", value: folded } as const]),
    ...emails.map((value) => ({ kind: "email", value }) as const),
    ...groups.map((value) => ({ kind: "group", value }) as const),
  ];
}

/** Decides the membership. Removed and deactivated people are never members. */
export function resolveMembership(identity: Identity, rules: MemberRules, facts: MemberFacts): Membership {
  const names = memberNamesOf(identity);
  const entries = facts.entries.filter(
    (entry) => names.some((name) => isSameName(name, entry)) && isFor(entry, identity),
  );
  if (facts.isRemoved || entries.some(({ deniedAtMs }) => deniedAtMs !== undefined))
    return { isMember: false, reason: "removed" };
  if (facts.isDeactivated) return { isMember: false, reason: "deactivated" };
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
function isFor({ boundTo }: MemberEntry, identity: IdentityKey): boolean {
  return boundTo === undefined || isSamePerson(boundTo, identity);
}

/** A name of any kind. Operators may write kinds that no entry has. */
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
  return (await findStanding(identity)).membership.isMember;
}

/** Standing of a person with the operator and with SCIM. */
export interface Standing {
  /** The identity with the groups that SCIM says the person has. */
  readonly identity: Identity;
  readonly names: readonly MemberName[];
  readonly entries: readonly MemberEntry[];
  readonly membership: Membership;
  /** @default - SCIM does not know the person */
  readonly provisioned: ProvisionedPerson | undefined;
  /** The items that were read. */
  readonly items: readonly Item[];
}

interface StandingOptions {
  /** Keys of items to read in the same round trip. @default - none */
  readonly alsoRead?: readonly Key[];
  /** Time of the sign-in that the identity is from. @default - now */
  readonly signedInAtMs?: number | undefined;
}

/** Finds a person's standing in one round trip. A second one is needed if SCIM has since added the person, or put them into a group. */
export async function findStanding(
  signedIn: Identity,
  { alsoRead = [], signedInAtMs }: StandingOptions = {},
): Promise<Standing> {
  const own = keys.identity(signedIn.provider, signedIn.id);
  const before = memberNamesOf(signedIn);
  const items = await getItems([own, ...alsoRead, ...before.map(memberKey), ...provisioningKeys(signedIn)]);
  const itself = items.find(({ pk }) => pk === own.pk);
  const accountId = itself?.userId as string | undefined;
  const provisioned = await readProvisionedPerson({ identity: signedIn, accountId, signedInAtMs }, items);
  const identity = withProvisioning(signedIn, provisioned);
  const names = memberNamesOf(identity);
  const others = names.filter((name) => !before.some((one) => isSameName(one, name)));
  const entries = [...items, ...(await getItems(others.map(memberKey)))].flatMap(toEntries);
  const isRemoved = itself?.[removedAttribute] !== undefined;
  const isDeactivated = provisioned?.isActive === false;
  const membership = resolveMembership(identity, memberRules(), { entries, isRemoved, isDeactivated });
  return { identity, names, entries, membership, provisioned, items };
}

/** Key of the operator's entry for a name. */
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

/** Membership rules of the settings. Without them, only added people are members. */
export function memberRules(): MemberRules {
  const said = findEnvironment(environmentNames.members);
  const rules: "anyone" | Partial<MemberSets> = said === undefined ? {} : JSON.parse(said);
  return rules === "anyone" ? rules : { emailDomains: [], organizations: [], groups: [], ...rules };
}

// Kind of a SCIM attribute whose values are names. Sign-in and access checks read SCIM's facts about a person; functions/scim writes them:
// docs/adr/0089-scim.md.

/** SCIM attribute of a name. */
export type ProvisionedNameKind = "userName" | "externalId" | "group";

/**
 * Stored form of a SCIM resource's name: a hash, so that names of any length and characters fit, and a deleted person's
 * name is not stored.
 */
export function provisionedNameOf(kind: ProvisionedNameKind, value: string): string {
  const compared = kind === "externalId" ? value : toLowerAscii(value.trim());
  return `${kind}#${createHash("sha256").update(compared).digest("base64url")}`;
}

/** Names by which SCIM may know a person: without a setting, the user name and each verified address. */
export function provisionedNamesOf({ provisionedNames, username, emails }: Identity): readonly string[] {
  if (provisionedNames !== undefined) return provisionedNames;
  const names = [username, ...emails].filter((name) => name.trim() !== "");
  return [...new Set(names.map((name) => provisionedNameOf("userName", name)))];
}

/** Keys of the items that show if SCIM knows a person, to read together with the person's other items. */
function provisioningKeys(identity: Identity): Key[] {
  const { provisionedAs = [] } = identity;
  return provisionedAs.length > 0
    ? provisionedAs.map(keys.provisionedUser)
    : provisionedNamesOf(identity).map(keys.provisionedName);
}

/**
 * Reads SCIM's facts about a person; undefined if SCIM does not know them. A person whom it knew at sign-in costs no
 * further round trip, even after a change of name.
 *
 * @param items the items of `provisioningKeys`, among others
 */
async function readProvisionedPerson(
  signedIn: {
    readonly identity: Identity;
    readonly accountId: string | undefined;
    readonly signedInAtMs?: number | undefined;
  },
  items: readonly Item[],
): Promise<ProvisionedPerson | undefined> {
  const { identity, signedInAtMs } = signedIn;
  const known = new Set((identity.provisionedAs ?? []).map((id) => keys.provisionedUser(id).pk));
  const users =
    known.size > 0
      ? items.filter(({ pk }) => known.has(String(pk)))
      : await findHolders(items.flatMap((item) => holdersOf(item, signedInAtMs)));
  return users.length === 0 ? undefined : toPerson(users, { ...signedIn, namesOf: storedNamesOf });
}

/** A user who has a name, or has had it. */
interface Holder {
  readonly id: string;
  /** The user no longer has the name: another person may have it now. */
  readonly isFormer: boolean;
}

/**
 * Reads the users of names. A former user of a name counts only while inactive, so that a deactivated person cannot
 * return under it.
 */
async function findHolders(holders: readonly Holder[]): Promise<readonly Item[]> {
  const present = new Set(holders.filter(({ isFormer }) => !isFormer).map(({ id }) => id));
  const users = await getItems([...new Set(holders.map(({ id }) => id))].map(keys.provisionedUser));
  return users.filter(({ id, active }) => present.has(String(id)) || active !== true);
}

/** Holders of a name now and at the earlier sign-in: another person may have got the name since. */
function holdersOf(item: Item, signedInAtMs = Number.POSITIVE_INFINITY): Holder[] {
  const { pk, holder, holderSinceMs = 0, formerHolders, isFree } = item;
  if (!String(pk).startsWith(keys.provisionedName("").pk) || holder === undefined) return [];
  const isEarlier = signedInAtMs < (holderSinceMs as number) && formerHolders !== undefined;
  if (isEarlier) return [...(formerHolders as Iterable<string>)].map((id) => ({ id, isFormer: false }));
  return [{ id: String(holder), isFormer: isFree === true }];
}

function storedNamesOf({ userName, externalId }: Item): readonly string[] {
  return [
    ...(userName === undefined ? [] : [provisionedNameOf("userName", userName as string)]),
    ...(externalId === undefined ? [] : [provisionedNameOf("externalId", externalId as string)]),
  ];
}

/** The identity with the groups that SCIM says the person has. */
function withProvisioning(identity: Identity, person: ProvisionedPerson | undefined): Identity {
  if (person === undefined) return identity;
  const { ids, groups, endedGroups } = person;
  const claimed = identity.groups.filter((group) => !endedGroups.has(group));
  return { ...identity, groups: [...new Set([...claimed, ...groups])], provisionedAs: ids };
}
