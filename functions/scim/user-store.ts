import { isDeepStrictEqual } from "node:util";
import type { EntityTagCondition } from "../http/response.ts";
import type { ProvisionedNameKind } from "../identity/members.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { createUserId, type RandomInt } from "../table/identifiers.ts";
import { keys, ranges } from "../table/keys.ts";
import { getItem, getItems, type Item, queryAll, RetryableError, retryConflicts } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";
import { accessEndWrites } from "./access-end.ts";
import { adoptAccounts } from "./account-adoption.ts";
import { requireVersion } from "./entity-tags.ts";
import { changeName, claimName, findHolder, freeName, textsOf, type UniqueName } from "./name-claims.ts";
import type { Profile, UserFacts } from "./resources.ts";
import { notFound } from "./scim-error.ts";

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

/** Users that a directory provisions. */
export const users = {
  async find(id: string): Promise<StoredUser | undefined> {
    const item = await getItem(keys.provisionedUser(id));
    return item === undefined || isDeleted(item) ? undefined : toUser(item);
  },

  /** @throws ScimError 404 */
  async require(id: string): Promise<StoredUser> {
    const user = await users.find(id);
    if (user === undefined) throw notFound(`The user ${id}`);
    return user;
  },

  async findByName(kind: Extract<ProvisionedNameKind, "userName" | "externalId">, value: string) {
    const id = await findHolder({ kind, value });
    return id === undefined ? undefined : users.find(id);
  },

  /** The ids of all users, oldest first. */
  async listIds(): Promise<readonly string[]> {
    return listIds("users");
  },

  async findAll(ids: readonly string[]): Promise<readonly StoredUser[]> {
    const items = await getItems(ids.map(keys.provisionedUser));
    const found = new Map(
      items.filter((item) => !isDeleted(item)).map((item) => [String(item.id), toUser(item)]),
    );
    return ids.flatMap((id) => found.get(id) ?? []);
  },

  /** @throws ScimError `uniqueness` */
  async create(facts: UserFacts, act: Act, randomInt: RandomInt): Promise<StoredUser> {
    return retryConflicts(async () => {
      const id = createUserId(randomInt);
      const nowMs = Date.now();
      const user: StoredUser = {
        ...facts,
        id,
        revision: 1,
        createdAtMs: nowMs,
        modifiedAtMs: nowMs,
        groups: {},
        accounts: [],
        accountsRevision: 0,
        endedAtMs: facts.active ? undefined : nowMs,
      };
      const claims = await Promise.all(namesOf(facts).map((name) => claimName(name, id)));
      const outcome = await transact([
        { put: toItem(user), condition: "attribute_not_exists(pk)" },
        { put: { ...keys.provisionedEntry("users", nowMs, id) } },
        ...claims,
        auditWrite({ ...act, action: "create-scim-user" }, { provisionedId: id }),
      ]);
      if (!outcome.committed) throw new RetryableError();
      return (await adoptAccounts(id, namesOf(user))) && !facts.active
        ? users.change(id, undefined, act, async (same) => same)
        : user;
    });
  },

  /**
   * Changes a user. A change to inactive ends, in the same transaction, what their accounts may do; so does the same change again, if
   * something is left. A change that changes nothing writes nothing.
   *
   * @throws ScimError 404, 412 or `uniqueness`
   */
  async change(
    id: string,
    condition: EntityTagCondition | undefined,
    act: Act,
    change: (facts: UserFacts) => Promise<UserFacts>,
  ): Promise<StoredUser> {
    return retryConflicts(async () => {
      await adoptAccounts(id, namesOf(await users.require(id)));
      const user = await users.require(id);
      requireVersion(condition, user);
      const facts = await change(factsOf(user));
      const ends = facts.active ? [] : await accessEndWrites(user, act);
      if (isSame(facts, user) && ends.length === 0) return user;
      const nowMs = Date.now();
      const next: StoredUser = {
        ...user,
        ...facts,
        revision: user.revision + 1,
        modifiedAtMs: nowMs,
        endedAtMs: user.active && !facts.active ? nowMs : user.endedAtMs,
      };
      const outcome = await transact([
        replacement(user, next),
        ...(await nameChanges(user, facts)),
        ...ends,
        auditWrite(
          { ...act, action: "edit-scim-user" },
          { provisionedId: id, ownerId: user.accounts.length === 1 ? user.accounts[0] : undefined },
        ),
      ]);
      if (!outcome.committed) throw new RetryableError();
      const isAdopted = await adoptAccounts(id, namesOf(next));
      return isAdopted && !next.active ? users.change(id, undefined, act, async (same) => same) : next;
    });
  },

  /**
   * Deletes a user, and ends what their accounts may do. A mark of the id stays, so that nobody comes back under the name before a
   * directory provisions it again.
   *
   * @throws ScimError 404 or 412
   */
  async remove(id: string, condition: EntityTagCondition | undefined, act: Act): Promise<void> {
    const item = await getItem(keys.provisionedUser(id));
    if (item === undefined || isDeleted(item)) {
      // A deletion that ended half-way is finished by its repetition.
      if (item !== undefined) await leaveGroups(id, Object.keys((item.groups ?? {}) as object));
      throw notFound(`The user ${id}`);
    }
    const groups = await retryConflicts(async () => {
      await adoptAccounts(id, namesOf(await users.require(id)));
      const user = await users.require(id);
      requireVersion(condition, user);
      const nowMs = Date.now();
      const { createdAtMs, accounts, accountsRevision, revision } = user;
      const left = {
        ...keys.provisionedUser(id),
        id,
        active: false,
        endedAtMs: nowMs,
        deletedAtMs: nowMs,
        createdAtMs,
        revision: revision + 1,
        accountsRevision,
        groups: user.groups,
        ...(accounts.length === 0 ? {} : { accounts: new Set(accounts) }),
      };
      const outcome = await transact([
        { ...unchanged(user), put: left },
        { remove: keys.provisionedEntry("users", createdAtMs, id) },
        ...namesOf(user).map((name) => freeName(name, id)),
        ...(await accessEndWrites(user, act)),
        auditWrite(
          { ...act, action: "delete-scim-user" },
          { provisionedId: id, ownerId: accounts.length === 1 ? accounts[0] : undefined },
        ),
      ]);
      if (!outcome.committed) throw new RetryableError();
      return Object.keys(user.groups);
    });
    await leaveGroups(id, groups);
  },
};

/** The ids in a list of resources, oldest first. */
export async function listIds(list: "users" | "groups"): Promise<readonly string[]> {
  const entries = await queryAll(ranges.provisionedEntries(list));
  return entries.map(({ sk }) => String(sk).split("#")[1] ?? "");
}

async function leaveGroups(id: string, groupIds: readonly string[]): Promise<void> {
  for (const groupId of groupIds) {
    const removal = { remove: keys.provisionedMember(groupId, id) };
    const outcome = await transact([
      removal,
      {
        key: keys.provisionedGroup(groupId),
        update: "ADD revision :one",
        condition: "attribute_exists(pk)",
        values: { ":one": 1 },
      },
    ]);
    // The group is gone.
    if (!outcome.committed) await transact([removal]);
  }
}

/** The user name, and behind it the external id where the user has one. */
function namesOf({ userName, externalId }: UserFacts): UniqueName[] {
  return [
    { kind: "userName", value: userName },
    ...(externalId === undefined ? [] : [{ kind: "externalId", value: externalId } as const]),
  ];
}

async function nameChanges(before: StoredUser, after: UserFacts): Promise<TransactionWrite[]> {
  const [userName, externalId] = namesOf(before);
  const [nextUserName, nextExternalId] = namesOf(after);
  return [
    ...(await changeName(userName, nextUserName, before.id)),
    ...(await changeName(externalId, nextExternalId, before.id)),
  ];
}

function replacement(before: StoredUser, after: StoredUser): TransactionWrite {
  return {
    ...unchanged(before),
    key: keys.provisionedUser(before.id),
    update: `SET userName = :userName, active = :active, profile = :profile, modifiedAtMs = :now, revision = :next${
      after.endedAtMs === undefined ? "" : ", endedAtMs = :ended"
    }${after.externalId === undefined ? " REMOVE externalId" : ", externalId = :externalId"}`,
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

function unchanged({ revision, accountsRevision }: StoredUser) {
  return {
    condition: "revision = :revision AND accountsRevision = :accounts",
    values: { ":revision": revision, ":accounts": accountsRevision } as Readonly<Record<string, unknown>>,
  };
}

function factsOf({ userName, externalId, active, profile }: UserFacts): UserFacts {
  return { userName, externalId, active, profile };
}

/** Compares facts as they are stored: the order of their fields, and those without a value, make no difference. */
function isSame(one: UserFacts, other: UserFacts): boolean {
  const stored = (facts: UserFacts): unknown => JSON.parse(JSON.stringify(factsOf(facts)));
  return isDeepStrictEqual(stored(one), stored(other));
}

function isDeleted({ deletedAtMs }: Item): boolean {
  return deletedAtMs !== undefined;
}

function toItem({ profile, accounts: _, ...user }: StoredUser): Item {
  // As one text: an attribute that a client calls `__proto__` stays data.
  return { ...keys.provisionedUser(user.id), ...user, profile: JSON.stringify(profile) };
}

function toUser(item: Item): StoredUser {
  return {
    id: item.id as string,
    userName: item.userName as string,
    externalId: item.externalId as string | undefined,
    active: item.active as boolean,
    profile: JSON.parse(item.profile as string) as Profile,
    groups: item.groups as Record<string, string>,
    accounts: textsOf(item, "accounts"),
    accountsRevision: item.accountsRevision as number,
    revision: item.revision as number,
    createdAtMs: item.createdAtMs as number,
    modifiedAtMs: item.modifiedAtMs as number,
    endedAtMs: item.endedAtMs as number | undefined,
  };
}
