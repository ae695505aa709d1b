import { isDeepStrictEqual } from "node:util";
import { isAddressLike } from "../people/email-addresses.ts";
import { keys } from "../table/keys.ts";
import type { Item } from "../table/table.ts";
import type { TransactionWrite } from "../table/table-writes.ts";
import { textsOf, type UniqueName } from "./name-claims.ts";
import type { Profile, UserFacts } from "./resources.ts";

/** A stored SCIM user. */
export interface StoredUser extends UserFacts {
  readonly id: string;
  readonly revision: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  /** Display names of the user's groups, by the group's id. */
  readonly groups: Readonly<Record<string, string>>;
  /** Ids of the accounts whose people have signed in as this user. */
  readonly accounts: readonly string[];
  /** Revision of `accounts`. Separate from `revision`, because SCIM clients must not see changes to the accounts. */
  readonly accountsRevision: number;
  /** Time of the last deactivation. @default - the user was never deactivated */
  readonly endedAtMs: number | undefined;
}

/** Lists a user's names: the user name and, if present, the external id. */
export function namesOf({ userName, externalId }: UserFacts): UniqueName[] {
  return [
    { kind: "userName", value: userName },
    ...(externalId === undefined ? [] : [{ kind: "externalId", value: externalId } as const]),
  ];
}

/** Builds the write that replaces a user. The write fails if the user has changed since it was read. */
export function replacement(before: StoredUser, after: StoredUser): TransactionWrite {
  const removals = [
    ...(after.externalId === undefined ? ["externalId"] : []),
    // Unbinds the user from its identity if the user name is an e-mail address, because only a verified address proves who the person is.
    ...(isAddressLike(after.userName) ? ["boundTo", "isReleased"] : []),
  ];
  return {
    ...unchanged(before),
    key: keys.provisionedUser(before.id),
    update: `SET userName = :userName, active = :active, profile = :profile, modifiedAtMs = :now, revision = :next${
      after.endedAtMs === undefined ? "" : ", endedAtMs = :ended"
    }${after.externalId === undefined ? "" : ", externalId = :externalId"}${removals.length === 0 ? "" : ` REMOVE ${removals.join(", ")}`}`,
    values: {
      ...unchanged(before).values,
      ":userName": after.userName,
      ":active": after.active,
      ":profile": JSON.stringify(after.profile),
      ":now": after.modifiedAtMs,
      ":next": after.revision,
      ...(after.endedAtMs === undefined ? {} : { ":ended": after.endedAtMs }),
      ...(after.externalId === undefined ? {} : { ":externalId": after.externalId }),
    },
  };
}

/** Builds the condition that a user has not changed since it was read. */
export function unchanged({ revision, accountsRevision }: StoredUser) {
  return {
    condition: "revision = :revision AND accountsRevision = :accounts",
    values: { ":revision": revision, ":accounts": accountsRevision } as Readonly<Record<string, unknown>>,
  };
}

/** Returns only the attributes that SCIM clients set. */
export function factsOf({ userName, externalId, active, profile }: UserFacts): UserFacts {
  return { userName, externalId, active, profile };
}

/** Compares two users as they are stored. Ignores undefined fields and the order of fields. */
export function isSameUser(one: UserFacts, other: UserFacts): boolean {
  const stored = (facts: UserFacts): unknown => JSON.parse(JSON.stringify(factsOf(facts)));
  return isDeepStrictEqual(stored(one), stored(other));
}

/** Recognizes the item that marks a deleted user. */
export function isDeleted({ deletedAtMs }: Item): boolean {
  return deletedAtMs !== undefined;
}

/** Converts a new user to an item. */
export function toUserItem({ profile, accounts: _, ...user }: StoredUser): Item {
  // Stores the profile as one string, so that an attribute with the name `__proto__` cannot change an object's prototype.
  return { ...keys.provisionedUser(user.id), ...user, profile: JSON.stringify(profile) };
}

/** Converts an item to a user. */
export function toUser({ pk: _pk, sk: _sk, profile, ...user }: Item): StoredUser {
  return {
    ...(user as unknown as StoredUser),
    profile: JSON.parse(profile as string) as Profile,
    accounts: textsOf(user, "accounts"),
  };
}
