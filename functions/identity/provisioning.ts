import { createHash } from "node:crypto";
import { type Key, keys } from "../table/keys.ts";
import { getItems, type Item } from "../table/table.ts";
import { type Identity, type IdentityKey, isSamePerson } from "./accounts.ts";
import { parseEmailAddress, toLowerAscii } from "./visibility.ts";

// What SCIM says of a person: sign-in and access checks read it, functions/scim writes it. Deactivation counts for everyone who has a
// user's name, groups only for the user's own person: docs/adr/0089-scim.md, docs/adr/0114-scim-names.md.

/** Attribute of SCIM that a name is a value of. */
export type ProvisionedNameKind = "userName" | "externalId" | "group";

/** Name of a SCIM resource as it is stored: a hash, so that a name of any length and characters fits, and a deleted person's is not kept. */
export function provisionedNameOf(kind: ProvisionedNameKind, value: string): string {
  const compared = kind === "externalId" ? value : toLowerAscii(value.trim());
  return `${kind}#${createHash("sha256").update(compared).digest("base64url")}`;
}

/** Compares two user names as SCIM does. */
export function isSameUserName(one: string, other: string): boolean {
  return provisionedNameOf("userName", one) === provisionedNameOf("userName", other);
}

/** Recognizes a user name that looks like an e-mail address, also by a wide or small at sign: only a verified address proves it. */
export function isAddressLike(userName: string): boolean {
  return userName.normalize("NFKC").includes("@");
}

/** Names by which SCIM may know a person: without a setting, the user name and each verified address. */
export function provisionedNamesOf({ provisionedNames, username, emails }: Identity): readonly string[] {
  if (provisionedNames !== undefined) return provisionedNames;
  const names = [username, ...emails].filter((name) => name.trim() !== "");
  return [...new Set(names.map((name) => provisionedNameOf("userName", name)))];
}

/** Keys of the items that say whether SCIM knows a person, to be read with whatever else is read of them. */
export function provisioningKeys(identity: Identity): Key[] {
  const { provisionedAs = [] } = identity;
  return provisionedAs.length > 0
    ? provisionedAs.map(keys.provisionedUser)
    : provisionedNamesOf(identity).map(keys.provisionedName);
}

/** A user whose name is no address, and whose person is not known yet. */
export interface UnboundUser {
  readonly id: string;
  readonly userName: string;
  /** Accounts that have signed in under the user's names before. */
  readonly accounts: readonly string[];
  /** The operator has given the name to whoever signs in with it next. */
  readonly isReleased: boolean;
}

/** Facts of SCIM about a person. */
export interface ProvisionedPerson {
  /** All users whose name the person has. */
  readonly ids: readonly string[];
  /** Those for whom a verified address or the claim of the settings vouches. */
  readonly vouchedAs: readonly string[];
  readonly isActive: boolean;
  /** Time of the last deactivation: sessions from before it are over. @default - the person has always been active */
  readonly endedAtMs: number | undefined;
  readonly groups: readonly string[];
  /** Claimed groups that do not count: SCIM knows better than the claims of the last sign-in. */
  readonly endedGroups: ReadonlySet<string>;
  /** Users that the next sign-in binds to a person. */
  readonly unbound: readonly UnboundUser[];
  /** Ids of the users that belong to another identity. */
  readonly taken: readonly string[];
}

/** A person as they signed in. */
interface SignedIn {
  readonly identity: Identity;
  /** @default - they have no account */
  readonly accountId: string | undefined;
  /** Time of the sign-in that the identity is from. @default - now */
  readonly signedInAtMs?: number | undefined;
}

/**
 * Reads what SCIM says of a person; undefined for one whom it does not know. A person whom it knew at sign-in costs no further round
 * trip, whatever their name has become since.
 *
 * @param items those of `provisioningKeys`, among others
 */
export async function readProvisionedPerson(
  signedIn: SignedIn,
  items: readonly Item[],
): Promise<ProvisionedPerson | undefined> {
  const { identity, signedInAtMs } = signedIn;
  const known = new Set((identity.provisionedAs ?? []).map((id) => keys.provisionedUser(id).pk));
  const users =
    known.size > 0
      ? items.filter(({ pk }) => known.has(String(pk)))
      : await findHolders(items.flatMap((item) => holdersOf(item, signedInAtMs)));
  return users.length === 0 ? undefined : toPerson(users, signedIn);
}

/** A user who has a name, or has had it. */
interface Holder {
  readonly id: string;
  /** The name has been given up: the person who comes with it now may be another one. */
  readonly isFormer: boolean;
}

/** Reads the users of names. Of a name that was given up, only a user who is not active counts: nobody comes back under it. */
async function findHolders(holders: readonly Holder[]): Promise<readonly Item[]> {
  const present = new Set(holders.filter(({ isFormer }) => !isFormer).map(({ id }) => id));
  const users = await getItems([...new Set(holders.map(({ id }) => id))].map(keys.provisionedUser));
  return users.filter(({ id, active }) => present.has(String(id)) || active !== true);
}

/** Holder of a name now, or at an earlier sign-in: a name may have gone to another person since. */
function holdersOf(item: Item, signedInAtMs = Number.POSITIVE_INFINITY): Holder[] {
  const { pk, holder, holderSinceMs = 0, formerHolders, isFree } = item;
  if (!String(pk).startsWith(keys.provisionedName("").pk) || holder === undefined) return [];
  const isEarlier = signedInAtMs < (holderSinceMs as number) && formerHolders !== undefined;
  if (isEarlier) return textsOf(formerHolders).map((id) => ({ id, isFormer: false }));
  return [{ id: String(holder), isFormer: isFree === true }];
}

/** Several records of one person: whom one of them says is inactive is inactive, also without proof that it is theirs. */
function toPerson(users: readonly Item[], signedIn: SignedIn): ProvisionedPerson {
  const found = users.map((user) => ({ user, id: String(user.id), relation: relationOf(user, signedIn) }));
  const isOwn = ({ relation }: { readonly relation: Relation }) => ownRelations.has(relation);
  const ends = users.flatMap(({ endedAtMs }) => (typeof endedAtMs === "number" ? [endedAtMs] : []));
  const idsOf = (relation: Relation) => found.filter((one) => one.relation === relation).map(({ id }) => id);
  return {
    ids: found.map(({ id }) => id),
    vouchedAs: idsOf("vouched for"),
    isActive: users.every(({ active }) => active === true),
    endedAtMs: ends.length === 0 ? undefined : Math.max(...ends),
    groups: found.filter(isOwn).flatMap(({ user }) => groupsOf(user)),
    endedGroups: new Set(found.flatMap((one) => endedGroupsOf(one.user, isOwn(one), signedIn.identity))),
    unbound: found
      .filter(({ relation }) => relation === "unbound" || relation === "sole account")
      .map(({ user }) => toUnboundUser(user)),
    taken: idsOf("taken"),
  };
}

/** Relation of an identity to a user whose name it has or had. */
type Relation =
  /** A verified address, or the claim of the settings, is the user's name. */
  | "vouched for"
  /** The identity was the first with this user name. */
  | "bound"
  /** No identity is bound yet, and no account but this person's has had the name. */
  | "sole account"
  /** No identity is bound yet. */
  | "unbound"
  /** Another identity was the first. */
  | "taken"
  | "unproven";

const ownRelations: ReadonlySet<Relation> = new Set(["vouched for", "bound", "sole account"]);

function relationOf(user: Item, { identity, accountId }: SignedIn): Relation {
  if (isVouchedFor(user, identity)) return "vouched for";
  const { userName, boundTo } = user as { userName?: string; boundTo?: IdentityKey };
  // Of a deleted user, no name is stored.
  if (userName === undefined || isAddressLike(userName) || identity.provisionedNames !== undefined)
    return "unproven";
  if (boundTo !== undefined) return isSamePerson(boundTo, identity) ? "bound" : "taken";
  if (!isSameUserName(userName, identity.username)) return "unproven";
  const { accounts, isReleased } = toUnboundUser(user);
  return !isReleased && accounts.length === 1 && accounts[0] === accountId ? "sole account" : "unbound";
}

function isVouchedFor(user: Item, { vouchedAs = [], provisionedNames, emails }: Identity): boolean {
  if (vouchedAs.includes(String(user.id))) return true;
  const { userName, externalId } = user as { userName?: string; externalId?: string };
  if (provisionedNames !== undefined)
    return [
      userName === undefined ? [] : provisionedNameOf("userName", userName),
      externalId === undefined ? [] : provisionedNameOf("externalId", externalId),
    ]
      .flat()
      .some((name) => provisionedNames.includes(name));
  const address = userName === undefined ? undefined : parseEmailAddress(userName);
  return address !== undefined && emails.includes(address);
}

function toUnboundUser({ id, userName, accounts, isReleased }: Item): UnboundUser {
  return {
    id: String(id),
    userName: String(userName),
    accounts: textsOf(accounts),
    isReleased: isReleased === true,
  };
}

/** Groups that the claims may not keep: those that the user has left and, where the claims contain them, those of another's user. */
function endedGroupsOf(user: Item, isOwn: boolean, { vouchedAs }: Identity): readonly string[] {
  const present = groupsOf(user);
  const left = textsOf(user.formerGroups).filter((group) => !present.includes(group));
  return isOwn || vouchedAs !== undefined ? left : [...left, ...present];
}

function groupsOf({ groups }: Item): readonly string[] {
  return Object.values((groups ?? {}) as Record<string, string>);
}

function textsOf(set: unknown): readonly string[] {
  return [...((set ?? []) as Iterable<string>)];
}

/** The identity with the groups that SCIM says the person has. */
export function withProvisioning(identity: Identity, person: ProvisionedPerson | undefined): Identity {
  if (person === undefined) return identity;
  const { ids, groups } = person;
  const claimed = claimedGroupsOf(identity, person);
  return { ...identity, groups: [...new Set([...claimed, ...groups])], provisionedAs: ids };
}

/** The identity as a sign-in stores it: with the provider's groups alone, since those of SCIM are read each time. */
export function toStoredIdentity(identity: Identity, person: ProvisionedPerson | undefined): Identity {
  if (person === undefined) return { ...identity, vouchedAs: identity.vouchedAs ?? [] };
  const { ids, vouchedAs } = person;
  return { ...identity, groups: claimedGroupsOf(identity, person), provisionedAs: ids, vouchedAs };
}

function claimedGroupsOf({ groups }: Identity, { endedGroups }: ProvisionedPerson): readonly string[] {
  return groups.filter((group) => !endedGroups.has(group));
}
