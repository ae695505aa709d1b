import { environmentNames, findEnvironment, type MemberRules } from "../http/environment.ts";
import { type Key, keys } from "../table/keys.ts";
import { getItems, type Item } from "../table/table.ts";
import { type Identity, type IdentityKey, isSamePerson, removedAttribute } from "./accounts.ts";
import {
  type ProvisionedPerson,
  provisioningKeys,
  readProvisionedPerson,
  withProvisioning,
} from "./provisioning.ts";
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

/** By what somebody is a member. */
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
  /** Those of the names of the identity. */
  readonly entries: readonly MemberEntry[];
  /** The operator has removed this identity. */
  readonly isRemoved: boolean;
  /** SCIM says that the person is not active. @default false */
  readonly isDeactivated?: boolean;
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

/**
 * Finds a person's standing in one round trip. A group that SCIM has put the person into since sign-in takes a second one, and so does
 * a person whom SCIM has come to know since.
 */
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
