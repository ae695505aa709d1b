import { foldUsername } from "../policies/access.ts";
import type { Item } from "../table/table.ts";
import { type Identity, type IdentityKey, isSamePerson } from "./accounts.ts";
import { isAddressLike, parseEmailAddress } from "./email-addresses.ts";

// A SCIM user is unbound until a person first signs in with the user's name. Deactivation applies to all people with
// the name. Groups apply only to the user's own person; see docs/adr/0089-scim.md.

/** A SCIM user whose name is not an e-mail address, and who is not bound to a person yet. */
export interface UnboundUser {
  readonly id: string;
  readonly userName: string;
  /** Ids of accounts that have signed in with a name of the SCIM user. */
  readonly accounts: readonly string[];
  /** An operator has released the name. The next person who signs in with the name gets it. */
  readonly isReleased: boolean;
}

/** Combined SCIM records of a person. */
export interface ProvisionedPerson {
  /** Ids of all SCIM users whose names match the person. */
  readonly ids: readonly string[];
  /** Ids of the SCIM users whose name is proven by a verified address, or by the claim that the settings name. */
  readonly vouchedAs: readonly string[];
  readonly isActive: boolean;
  /** Time of the last deactivation, which ended all earlier sessions. @default - the person has always been active */
  readonly endedAtMs: number | undefined;
  readonly groups: readonly string[];
  /** Groups from the last sign-in's claims that no longer apply, because the SCIM record is newer. */
  readonly endedGroups: ReadonlySet<string>;
  /** SCIM users whom the next sign-in will bind to this person. */
  readonly unbound: readonly UnboundUser[];
  /** Ids of the SCIM users who belong to another identity. */
  readonly taken: readonly string[];
}

/** A person's sign-in. */
interface SignedIn {
  readonly identity: Identity;
  /** Account id of the person. @default - the person has no account */
  readonly accountId: string | undefined;
  /** Returns a user's names as stored in `provisionedNames`. */
  readonly namesOf: (user: Item) => readonly string[];
}

/**
 * Combines several SCIM records of one person. A single inactive record makes the person inactive, even if the record is not proven to
 * belong to the person.
 */
export function toPerson(users: readonly Item[], signedIn: SignedIn): ProvisionedPerson {
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

/** Relation of an identity to a SCIM user whose name matches or matched the identity. */
type Relation =
  /** The SCIM user's name equals a verified address of the identity, or the claim that the settings name. */
  | "vouched for"
  /** The identity was the first to sign in with this user name. */
  | "bound"
  /** No identity is bound yet, and this person's account is the only one that has signed in with the user name. */
  | "sole account"
  /** No identity is bound to the user name yet. */
  | "unbound"
  /** Another identity was the first to sign in with this user name. */
  | "taken"
  | "unproven";

const ownRelations: ReadonlySet<Relation> = new Set(["vouched for", "bound", "sole account"]);

function relationOf(user: Item, signedIn: SignedIn): Relation {
  if (isVouchedFor(user, signedIn)) return "vouched for";
  const { identity, accountId } = signedIn;
  const { userName, boundTo } = user as { userName?: string; boundTo?: IdentityKey };
  // Deleted users have no stored name.
  if (userName === undefined || isAddressLike(userName) || identity.provisionedNames !== undefined)
    return "unproven";
  if (boundTo !== undefined) return isSamePerson(boundTo, identity) ? "bound" : "taken";
  if (foldUsername(userName) !== foldUsername(identity.username)) return "unproven";
  const { accounts, isReleased } = toUnboundUser(user);
  return !isReleased && accounts.length === 1 && accounts[0] === accountId ? "sole account" : "unbound";
}

function isVouchedFor(user: Item, { identity, namesOf }: SignedIn): boolean {
  const { vouchedAs = [], provisionedNames, emails } = identity;
  if (vouchedAs.includes(String(user.id))) return true;
  if (provisionedNames !== undefined) return namesOf(user).some((name) => provisionedNames.includes(name));
  const address = parseEmailAddress(String(user.userName ?? ""));
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

/**
 * Returns the groups to remove from the sign-in's claims: groups that the SCIM user has left, and all groups of a user
 * who is not the person's own.
 */
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
