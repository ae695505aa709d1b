import type { EntityTagCondition } from "../http/response.ts";
import type { Act, EndedAccess } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { createUserId, type RandomInt } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { getItem, RetryableError, retryConflicts } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";
import { requireVersion } from "./entity-tags.ts";
import { changeName, claimName, freeName, readsOf } from "./name-claims.ts";
import type { UserFacts } from "./resources.ts";
import { notFound } from "./scim-error.ts";
import {
  factsOf,
  isDeleted,
  isSameUser,
  namesOf,
  replacement,
  type StoredUser,
  toUser,
  toUserItem,
  unchanged,
} from "./stored-user.ts";
import { AccessEnd, adoptAccounts } from "./user-accounts.ts";

const reads = readsOf("users", keys.provisionedUser, (item) => (isDeleted(item) ? undefined : toUser(item)));

/** Stores users that a directory provisions. */
export const users = {
  ...reads,

  /** Creates a user. @throws ScimError `uniqueness` */
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
        { put: toUserItem(user), condition: "attribute_not_exists(pk)" },
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
   * Changes a user. A deactivation also ends the access of the user's accounts, in the same transaction. A repeated deactivation ends any
   * access that remains. Writes nothing if the change has no effect.
   *
   * @throws ScimError 404, 412 or `uniqueness`
   */
  async change(
    id: string,
    condition: EntityTagCondition | undefined,
    act: Act,
    change: (facts: UserFacts) => Promise<UserFacts>,
  ): Promise<StoredUser> {
    const ending = new AccessEnd(act);
    return retryConflicts(async () => {
      await adoptAccounts(id, namesOf(await reads.require(id)));
      const user = await reads.require(id);
      requireVersion(condition, user);
      const facts = await change(factsOf(user));
      const names = await nameChanges(user, facts);
      // If a change both renames and deactivates a user, first renames the user, which links the accounts with the new name. The
      // deactivation then also ends the access of these accounts.
      if (user.active && !facts.active && names.length > 0) {
        await users.change(id, condition, act, async (now) => ({ ...(await change(now)), active: true }));
        return users.change(id, undefined, act, async (renamed) => ({ ...renamed, active: false }));
      }
      const ends = facts.active ? [] : await ending.prepare(user);
      if (isSameUser(facts, user) && ends.length === 0) return user;
      const nowMs = Date.now();
      const next: StoredUser = {
        ...user,
        ...facts,
        revision: user.revision + 1,
        modifiedAtMs: nowMs,
        endedAtMs: user.active && !facts.active ? nowMs : user.endedAtMs,
      };
      const stateAction = next.active ? "reactivate-scim-user" : "deactivate-scim-user";
      const outcome = await transact([
        replacement(user, next),
        ...names,
        ...ends,
        ...(isSameUser({ ...facts, active: user.active }, user)
          ? []
          : [line({ ...act, action: "edit-scim-user" }, user)]),
        ...(user.active !== next.active || ends.length > 0
          ? [line({ ...act, action: stateAction }, user, ending.counts)]
          : []),
      ]);
      if (!outcome.committed) throw new RetryableError();
      const isAdopted = await adoptAccounts(id, namesOf(next));
      return isAdopted && !next.active ? users.change(id, undefined, act, async (same) => same) : next;
    });
  },

  /** Unbinds a user from its identity, so that the user is bound to the next identity that signs in with the user name. */
  async release(id: string, act: Act): Promise<void> {
    await transact([
      {
        key: keys.provisionedUser(id),
        update: "SET isReleased = :true REMOVE boundTo",
        condition: "attribute_exists(pk) AND attribute_not_exists(deletedAtMs)",
        values: { ":true": true },
      },
      auditWrite(act, { provisionedId: id }),
    ]);
  },

  /**
   * Deletes a user and ends the access of the user's accounts. Keeps an item that marks the user as deleted, so that the user name gives no
   * access until a directory provisions it again.
   *
   * @throws ScimError 404 or 412
   */
  async remove(id: string, condition: EntityTagCondition | undefined, act: Act): Promise<void> {
    const item = await getItem(keys.provisionedUser(id));
    if (item === undefined || isDeleted(item)) {
      // Completes an interrupted deletion.
      if (item !== undefined) await leaveGroups(id, Object.keys((item.groups ?? {}) as object));
      throw notFound(`The user ${id}`);
    }
    const ending = new AccessEnd(act);
    const groups = await retryConflicts(async () => {
      await adoptAccounts(id, namesOf(await reads.require(id)));
      const user = await reads.require(id);
      requireVersion(condition, user);
      const nowMs = Date.now();
      const { createdAtMs, accounts, accountsRevision, revision } = user;
      const ends = await ending.prepare(user);
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
        ...ends,
        ...(user.active || ends.length > 0
          ? [line({ ...act, action: "deactivate-scim-user" }, user, ending.counts)]
          : []),
        line({ ...act, action: "delete-scim-user" }, user),
      ]);
      if (!outcome.committed) throw new RetryableError();
      return Object.keys(user.groups);
    });
    await leaveGroups(id, groups);
  },
};

/** Builds the write that adds an audit entry about a user. @param ended counts of ended access. @default - the action ends no access */
function line(act: Act, { id, accounts }: StoredUser, ended?: EndedAccess): TransactionWrite {
  const ownerId = accounts.length === 1 ? accounts[0] : undefined;
  return auditWrite(act, { provisionedId: id, ownerId, ended });
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
    // If the group was deleted, removes only the membership item.
    if (!outcome.committed) await transact([removal]);
  }
}

async function nameChanges(before: StoredUser, after: UserFacts): Promise<TransactionWrite[]> {
  const [userName, externalId] = namesOf(before);
  const [nextUserName, nextExternalId] = namesOf(after);
  return [
    ...(await changeName(userName, nextUserName, before.id)),
    ...(await changeName(externalId, nextExternalId, before.id)),
  ];
}
