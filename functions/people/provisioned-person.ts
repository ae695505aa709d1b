import { foldUsername } from "../policies/access.ts";
import type { Item } from "../table/table.ts";
import { type Identity, type IdentityKey, isSamePerson } from "./accounts.ts";
import { isAddressLike, parseEmailAddress } from "./email-addresses.ts";

// A user whose name is not an e-mail address and whose person is not known yet. Deactivation applies to
// everyone who has a user's name, groups only to the user's own person: docs/adr/0089-scim.md.

/** A user whose name is no address, and whose person is not known yet. */
export interface UnboundUser {
  readonly id: string;
  readonly userName: string;
  /** Accounts that have signed in under the user's names before. */
  readonly accounts: readonly string[];
  /** An operator has released the name: the next person who signs in with it gets it. */
  readonly isReleased: boolean;
}

/** Facts of SCIM about a person. */
export interface ProvisionedPerson {
  /** All users whose name the person has. */
  readonly ids: readonly string[];
  /** SCIM users whose name is proven by a verified address or by the claim of the settings. */
  readonly vouchedAs: readonly string[];
  readonly isActive: boolean;
  /** Time of the last deactivation: earlier sessions have ended. @default - the person has always been active */
  readonly endedAtMs: number | undefined;
  readonly groups: readonly string[];
  /** Claimed groups that do not count: SCIM is newer than the claims of the last sign-in. */
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
  /** Names of a user as they are stored in `provisionedNames`. */
  readonly namesOf: (user: Item) => readonly string[];
}

/**
 * Combines several records of one person. One inactive record makes the person inactive, even without proof that it is
 * theirs.
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

/** Relation of an identity to a user whose name it has or had. */
type Relation =
  /** A verified address of the identity, or the claim that the settings name, equals the user's name. */
  | "vouched for"
  /** The identity was the first with this user name. */
  | "bound"
  /** No identity is bound yet, and only this person's account has had the name. */
  | "sole account"
  /** No identity is bound yet. */
  | "unbound"
  /** Another identity was the first. */
  | "taken"
  | "unproven";

const ownRelations: ReadonlySet<Relation> = new Set(["vouched for", "bound", "sole account"]);

function relationOf(user: Item, signedIn: SignedIn): Relation {
  if (isVouchedFor(user, signedIn)) return "vouched for";
  const { identity, accountId } = signedIn;
  const { userName, boundTo } = user as { userName?: string; boundTo?: IdentityKey };
  // A deleted user has no stored name.
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

/** Claimed groups to remove: groups that the user has left, and groups of a user that belongs to another person. */
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
