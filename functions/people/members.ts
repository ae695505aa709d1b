import { createHash } from "node:crypto";
import { environmentNames, findEnvironment, type MemberRules, type MemberSets } from "../core/environment.ts";
import { emailDomainOf, foldUsername, toLowerAscii } from "../policies/access.ts";
import { type Key, keys } from "../table/keys.ts";
import { getItems, type Item } from "../table/table.ts";
import { type Identity, type IdentityKey, isSamePerson, removedAttribute } from "./accounts.ts";
import { type ProvisionedPerson, toPerson } from "./provisioned-person.ts";

/** User name, address or group that an operator admits or bars. */
export interface MemberName {
  readonly kind: "username" | "email" | "group";
  /** The name in normalized form, for comparisons. */
  readonly value: string;
}

/** An operator's decision to admit or bar the people with a name. */
export interface MemberEntry extends MemberName {
  /** Time when the operator barred the name. @default - the name is not barred */
  readonly deniedAtMs?: number | undefined;
  /** Identity that first signed in with the user name. Later holders of the name do not match. @default - none yet */
  readonly boundTo?: IdentityKey | undefined;
}

/** Reason why a person is a member. */
export type MembershipReason =
  | { readonly kind: "entry"; readonly entry: MemberEntry }
  | { readonly kind: "email domain" | "organization" | "group"; readonly value: string }
  | { readonly kind: "anyone" };

/** A person's membership, with the reason. */
export type Membership =
  | { readonly isMember: true; readonly ground: MembershipReason }
  | { readonly isMember: false; readonly reason: "unknown" | "removed" | "deactivated" };

/** Facts about a person that do not come from the identity provider. */
export interface MemberFacts {
  /** Operator's entries for the identity's names. */
  readonly entries: readonly MemberEntry[];
  /** True if the operator has removed this identity. */
  readonly isRemoved: boolean;
  /** True if SCIM has deactivated the person. @default false */
  readonly isDeactivated?: boolean;
}

/** Returns an identity's names that an operator's entry can match. */
export function memberNamesOf({ username, emails, groups }: Identity): MemberName[] {
  const folded = foldUsername(username);
  return [
    ...(folded === "" ? [] : [{ kind: "username", value: folded } as const]),
    ...emails.map((value) => ({ kind: "email", value }) as const),
    ...groups.map((value) => ({ kind: "group", value }) as const),
  ];
}

/** Decides whether a person is a member. Removed and deactivated people are never members. */
export function resolveMembership(identity: Identity, rules: MemberRules, facts: MemberFacts): Membership {
  const names = memberNamesOf(identity);
  // Ignores an entry that is bound to an earlier holder of the name.
  const entries = facts.entries.filter(
    (entry) =>
      names.some((name) => isSameName(name, entry)) &&
      (entry.boundTo === undefined || isSamePerson(entry.boundTo, identity)),
  );
  if (facts.isRemoved || entries.some(({ deniedAtMs }) => deniedAtMs !== undefined))
    return { isMember: false, reason: "removed" };
  if (facts.isDeactivated) return { isMember: false, reason: "deactivated" };
  // Prefers an entry that is bound to an identity, because it cannot apply to another person later.
  const entry = entries.find(({ boundTo }) => boundTo !== undefined) ?? entries[0];
  const ground = entry === undefined ? ruleGround(identity, rules) : ({ kind: "entry", entry } as const);
  return ground === undefined ? { isMember: false, reason: "unknown" } : { isMember: true, ground };
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

type AnyName = Readonly<Record<"kind" | "value", string>>;

/** Compares two names of any kind, including kinds that this release does not support. */
export function isSameName(one: AnyName, other: AnyName): boolean {
  return one.kind === other.kind && one.value === other.value;
}

/** Checks a person's membership with one DynamoDB request. Members may publish, and read drops for members. */
export async function isMember(identity: Identity): Promise<boolean> {
  return (await findStanding(identity)).membership.isMember;
}

/** A person's membership and SCIM record. */
export interface Standing {
  /** Identity, including the groups that SCIM assigns to the person. */
  readonly identity: Identity;
  readonly names: readonly MemberName[];
  readonly entries: readonly MemberEntry[];
  readonly membership: Membership;
  /** The person's SCIM record. @default - the person has none */
  readonly provisioned: ProvisionedPerson | undefined;
  /** Items that were read from the table. */
  readonly items: readonly Item[];
}

/**
 * Reads a person's membership and SCIM record with one DynamoDB request. A second request is needed if SCIM has added
 * the person or assigned a group since the sign-in.
 */
export async function findStanding(
  signedIn: Identity,
  {
    alsoRead = [],
    signedInAtMs,
  }: {
    /** Keys of further items to read in the same request. @default - none */
    readonly alsoRead?: readonly Key[];
    /** Time of the sign-in that returned the identity. @default - now */
    readonly signedInAtMs?: number | undefined;
  } = {},
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

/** Returns the key of the operator's entry for a name. */
export function memberKey({ kind, value }: MemberName): Key {
  return keys.member(kind, value);
}

/** Parses an operator's entry from a member item. Returns an empty list for other items. */
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

/** Reads the membership rules from the settings. Without rules, only people whom the operator added are members. */
export function memberRules(): MemberRules {
  const said = findEnvironment(environmentNames.members);
  const rules: "anyone" | Partial<MemberSets> = said === undefined ? {} : JSON.parse(said);
  return rules === "anyone" ? rules : { emailDomains: [], organizations: [], groups: [], ...rules };
}

// functions/scim writes the SCIM records that sign-in and access checks read below; see docs/adr/0089-scim.md.

/** SCIM attribute that contains a name. */
export type ProvisionedNameKind = "userName" | "externalId" | "group";

/**
 * Returns the stored form of a SCIM resource's name. The stored form is a hash, so that any name fits into a key and a deleted person's
 * name is not stored.
 */
export function provisionedNameOf(kind: ProvisionedNameKind, value: string): string {
  const compared = kind === "externalId" ? value : toLowerAscii(value.trim());
  return `${kind}#${createHash("sha256").update(compared).digest("base64url")}`;
}

/** Returns the names that may match a person's SCIM record. By default, these are the user name and each verified address. */
export function provisionedNamesOf({ provisionedNames, username, emails }: Identity): readonly string[] {
  if (provisionedNames !== undefined) return provisionedNames;
  const names = [username, ...emails].filter((name) => name.trim() !== "");
  return [...new Set(names.map((name) => provisionedNameOf("userName", name)))];
}

/** Returns the keys of the items that are needed to find a person's SCIM record. They are read together with the person's other items. */
function provisioningKeys(identity: Identity): Key[] {
  const { provisionedAs = [] } = identity;
  return provisionedAs.length > 0
    ? provisionedAs.map(keys.provisionedUser)
    : provisionedNamesOf(identity).map(keys.provisionedName);
}

/**
 * Reads a person's SCIM record. Returns undefined if the person has none. If the person had a SCIM record at sign-in,
 * no further request is needed, even after a change of name.
 *
 * @param items items that were read, including the items at `provisioningKeys`
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

/** A SCIM user who has the requested name now, or had it earlier. */
interface Holder {
  readonly id: string;
  /** The user no longer has the name. Another person may have it now. */
  readonly isFormer: boolean;
}

/**
 * Reads the SCIM users who have, or had, one of the given names. The earlier names of a deactivated user are included, so that the person
 * cannot sign in again with an earlier name. The earlier names of an active user are not included.
 */
async function findHolders(holders: readonly Holder[]): Promise<readonly Item[]> {
  const present = new Set(holders.filter(({ isFormer }) => !isFormer).map(({ id }) => id));
  const users = await getItems([...new Set(holders.map(({ id }) => id))].map(keys.provisionedUser));
  return users.filter(({ id, active }) => present.has(String(id)) || active !== true);
}

/** Returns the holders of a name at the time of the sign-in, or now. The name may have passed to another person since the sign-in. */
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

/** Returns the identity with the groups that SCIM assigns to the person. */
function withProvisioning(identity: Identity, person: ProvisionedPerson | undefined): Identity {
  if (person === undefined) return identity;
  const { ids, groups, endedGroups } = person;
  const claimed = identity.groups.filter((group) => !endedGroups.has(group));
  return { ...identity, groups: [...new Set([...claimed, ...groups])], provisionedAs: ids };
}
