import { isDeepStrictEqual } from "node:util";
import { isAddressLike } from "../people/email-addresses.ts";
import { keys } from "../table/keys.ts";
import type { Item } from "../table/table.ts";
import type { TransactionWrite } from "../table/table-writes.ts";
import { textsOf, type UniqueName } from "./name-claims.ts";
import type { Profile, UserFacts } from "./resources.ts";

/** A SCIM user as it is stored. */
export interface StoredUser extends UserFacts {
  readonly id: string;
  readonly revision: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  /** Display names of the user's groups by id. */
  readonly groups: Readonly<Record<string, string>>;
  /** Accounts of people who have signed in as this user. */
  readonly accounts: readonly string[];
  /** Changes with the accounts, which no SCIM client sees. */
  readonly accountsRevision: number;
  /** Time of the last deactivation. @default - none */
  readonly endedAtMs: number | undefined;
}

/** The user name, followed by the external id if the user has one. */
export function namesOf({ userName, externalId }: UserFacts): UniqueName[] {
  return [
    { kind: "userName", value: userName },
    ...(externalId === undefined ? [] : [{ kind: "externalId", value: externalId } as const]),
  ];
}

/** The write that replaces a user, on the condition that it has not changed since it was read. */
export function replacement(before: StoredUser, after: StoredUser): TransactionWrite {
  const removals = [
    ...(after.externalId === undefined ? ["externalId"] : []),
    // For a name that is an address, only a verified address proves its person.
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

/** The condition that a user has not changed since it was read. */
export function unchanged({ revision, accountsRevision }: StoredUser) {
  return {
    condition: "revision = :revision AND accountsRevision = :accounts",
    values: { ":revision": revision, ":accounts": accountsRevision } as Readonly<Record<string, unknown>>,
  };
}

/** Only the facts of a user. */
export function factsOf({ userName, externalId, active, profile }: UserFacts): UserFacts {
  return { userName, externalId, active, profile };
}

/** Compares facts as they are stored: the order of their fields, and those without a value, make no difference. */
export function isSameUser(one: UserFacts, other: UserFacts): boolean {
  const stored = (facts: UserFacts): unknown => JSON.parse(JSON.stringify(factsOf(facts)));
  return isDeepStrictEqual(stored(one), stored(other));
}

/** Recognizes the mark that a deleted user leaves. */
export function isDeleted({ deletedAtMs }: Item): boolean {
  return deletedAtMs !== undefined;
}

/** The item of a new user. */
export function toUserItem({ profile, accounts: _, ...user }: StoredUser): Item {
  // The profile is one text, so that an attribute named `__proto__` stays data.
  return { ...keys.provisionedUser(user.id), ...user, profile: JSON.stringify(profile) };
}

/** Reads the user of an item. */
export function toUser({ pk: _pk, sk: _sk, profile, ...user }: Item): StoredUser {
  return {
    ...(user as unknown as StoredUser),
    profile: JSON.parse(profile as string) as Profile,
    accounts: textsOf(user, "accounts"),
  };
}
