import pLimit from "p-limit";
import type { EntityTagCondition } from "../http/response.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { createUserId, type RandomInt } from "../table/identifiers.ts";
import { keys, ranges } from "../table/keys.ts";
import { getItem, getItems, type Item, queryAll, RetryableError, retryConflicts } from "../table/table.ts";
import { type TransactionWrite, transact, updateItem } from "../table/table-writes.ts";
import { requireVersion } from "./entity-tags.ts";
import { changeName, claimName, freeName, readsOf, textsOf, type UniqueName } from "./name-claims.ts";
import { type MemberChange, noTarget } from "./patch.ts";
import type { GroupFacts } from "./resources.ts";
import { ScimError } from "./scim-error.ts";

// Each member of a group has a separate item, and each user's item contains the names of the user's groups, so that an access check reads
// only the user's item. One transaction writes both items of up to 40 members. If a change was interrupted, the client's retry completes
// it.

/** A stored SCIM group, without its members. */
export interface StoredGroup extends GroupFacts {
  readonly id: string;
  readonly revision: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  /** The group's earlier names, which some members' items may still contain. */
  readonly formerNames: readonly string[];
}

/** Maximum number of members that one transaction changes. Each member needs two writes, and a transaction has at most 100. */
const membersAtOnceMax = 40;
const transactionsAtOnceMax = 8;

const reads = readsOf("groups", keys.provisionedGroup, toGroup);

/** Stores groups that a directory provisions. */
export const groups = {
  ...reads,

  /** Lists the ids of a group's members. */
  async listMembers(id: string): Promise<readonly string[]> {
    const members = await queryAll(ranges.provisionedMembers(id), { attributes: ["sk"] });
    return members.map(memberIdOf);
  },

  async isMember(id: string, userId: string): Promise<boolean> {
    return (await getItem(keys.provisionedMember(id, userId))) !== undefined;
  },

  /** Creates a group. @throws ScimError `uniqueness`; `invalidValue` for users who do not exist; the other users were added nevertheless */
  async create(
    facts: GroupFacts,
    members: readonly string[],
    act: Act,
    randomInt: RandomInt,
  ): Promise<StoredGroup> {
    const group = await retryConflicts(async () => {
      const id = createUserId(randomInt);
      const nowMs = Date.now();
      const created = { ...facts, id, revision: 1, createdAtMs: nowMs, modifiedAtMs: nowMs, formerNames: [] };
      const outcome = await transact([
        { put: toItem(created), condition: "attribute_not_exists(pk)" },
        { put: { ...keys.provisionedEntry("groups", nowMs, id) } },
        await claimName(nameOf(facts), id),
        // Remembers the name, so that owners can share pages with the group before any member has signed in.
        { put: { ...keys.group(facts.displayName) } },
        auditWrite({ ...act, action: "create-scim-group" }, { provisionedId: id }),
      ]);
      if (!outcome.committed) throw new RetryableError();
      return created;
    });
    await addMembers(group, members);
    return group;
  },

  /**
   * Changes a group and its members. Writes nothing if the change has no effect.
   *
   * @throws ScimError 404, 412, `noTarget` or `uniqueness`; `invalidValue` for users who do not exist; the other users were added
   * nevertheless
   */
  async change(
    id: string,
    condition: EntityTagCondition | undefined,
    act: Act,
    change: (facts: GroupFacts) => { readonly facts: GroupFacts; readonly members: MemberChange },
  ): Promise<StoredGroup> {
    const { group, added, removed } = await retryConflicts(async () => {
      const before = await reads.require(id);
      requireVersion(condition, before);
      const { facts, members } = change(before);
      const differences = await findDifferences(id, members);
      const isRenamed = facts.displayName !== before.displayName;
      const isSame = !isRenamed && facts.externalId === before.externalId;
      if (isSame && differences.added.length + differences.removed.length === 0)
        return { group: before, ...differences };
      const nowMs = Date.now();
      const formerNames = isRenamed ? [...before.formerNames, before.displayName] : before.formerNames;
      const group = { ...before, ...facts, revision: before.revision + 1, modifiedAtMs: nowMs, formerNames };
      const outcome = await transact([
        { put: toItem(group), condition: "revision = :revision", values: { ":revision": before.revision } },
        ...(await changeName(nameOf(before), nameOf(facts), id)),
        ...(isRenamed ? [{ put: { ...keys.group(facts.displayName) } }] : []),
        auditWrite({ ...act, action: "edit-scim-group" }, { provisionedId: id }),
      ]);
      if (!outcome.committed) throw new RetryableError();
      return { group, ...differences };
    });
    await removeMembers(group, removed);
    await addMembers(group, added);
    return group.formerNames.length === 0 ? group : renameAtMembers(group);
  },

  /** Removes all members from a group, and then deletes the group. @throws ScimError 404 or 412 */
  async remove(id: string, condition: EntityTagCondition | undefined, act: Act): Promise<void> {
    await retryConflicts(async () => {
      const group = await reads.require(id);
      requireVersion(condition, group);
      await removeMembers(group, await groups.listMembers(id));
      const outcome = await transact([
        {
          remove: keys.provisionedGroup(id),
          condition: "revision = :revision",
          values: { ":revision": group.revision },
        },
        { remove: keys.provisionedEntry("groups", group.createdAtMs, id) },
        freeName(nameOf(group), id),
        auditWrite({ ...act, action: "delete-scim-group" }, { provisionedId: id }),
      ]);
      if (!outcome.committed) throw new RetryableError();
    });
  },
};

/** Compares a change with the current members. Returns the ids to add and to remove. */
async function findDifferences(
  id: string,
  { isWhole, added, removed, sought = [] }: MemberChange,
): Promise<{ readonly added: readonly string[]; readonly removed: readonly string[] }> {
  const requireSought = (before: ReadonlySet<string>) => {
    const missing = sought.find((ids) => !ids.some((userId) => before.has(userId)));
    if (missing !== undefined) throw noTarget(missing);
  };
  if (isWhole) {
    const all = await groups.listMembers(id);
    const before = new Set(all);
    requireSought(before);
    return {
      added: [...added].filter((userId) => !before.has(userId)),
      removed: all.filter((userId) => !added.has(userId)),
    };
  }
  const ids = new Set([...added, ...removed, ...sought.flat()]);
  const named = await getItems([...ids].map((userId) => keys.provisionedMember(id, userId)));
  const before = new Set(named.map(memberIdOf));
  requireSought(before);
  return {
    added: [...added].filter((userId) => !before.has(userId)),
    removed: [...removed].filter((userId) => before.has(userId)),
  };
}

async function addMembers({ id, displayName }: StoredGroup, userIds: readonly string[]): Promise<void> {
  const missing = await writeMembers(userIds, (userId) => [
    {
      key: keys.provisionedUser(userId),
      update: "SET #groups.#id = :name ADD revision :one",
      condition: "attribute_exists(pk) AND attribute_not_exists(deletedAtMs)",
      names: { "#groups": "groups", "#id": id },
      values: { ":name": displayName, ":one": 1 },
    },
    { put: { ...keys.provisionedMember(id, userId) } },
  ]);
  if (missing.length === 0) return;
  throw new ScimError(400, `The user ${missing[0]} does not exist and was not added.`, "invalidValue");
}

async function removeMembers(group: StoredGroup, userIds: readonly string[]): Promise<void> {
  const { id, displayName, formerNames } = group;
  const missing = await writeMembers(userIds, (userId) => [
    {
      key: keys.provisionedUser(userId),
      update: "REMOVE #groups.#id ADD revision :one, formerGroups :names",
      condition: "attribute_exists(pk) AND attribute_not_exists(deletedAtMs)",
      names: { "#groups": "groups", "#id": id },
      values: { ":names": new Set([displayName, ...formerNames]), ":one": 1 },
    },
    { remove: keys.provisionedMember(id, userId) },
  ]);
  // If the user was deleted, removes only the membership item.
  for (const userId of missing) await transact([{ remove: keys.provisionedMember(id, userId) }]);
}

/** Writes a group's new name to the items of all its members, and then removes the group's earlier names. */
async function renameAtMembers(group: StoredGroup): Promise<StoredGroup> {
  const { id, displayName, formerNames, revision } = group;
  const userIds = await groups.listMembers(id);
  await writeMembers(userIds, (userId) => [
    {
      key: keys.provisionedUser(userId),
      update: "SET #groups.#id = :name ADD revision :one, formerGroups :names",
      condition: "attribute_exists(#groups.#id) AND attribute_not_exists(deletedAtMs)",
      names: { "#groups": "groups", "#id": id },
      values: { ":name": displayName, ":names": new Set(formerNames), ":one": 1 },
    },
  ]);
  await updateItem({
    key: keys.provisionedGroup(id),
    update: "REMOVE formerNames",
    condition: "revision = :revision",
    values: { ":revision": revision },
  });
  return { ...group, formerNames: [] };
}

/** Writes the items of all members, in few transactions. Returns the users whose items were not written, because a condition failed. */
async function writeMembers(
  userIds: readonly string[],
  writesOf: (userId: string) => TransactionWrite[],
): Promise<readonly string[]> {
  const batches = Array.from({ length: Math.ceil(userIds.length / membersAtOnceMax) }, (_, index) =>
    userIds.slice(index * membersAtOnceMax, (index + 1) * membersAtOnceMax),
  );
  const writeBatch = async (batch: readonly string[]): Promise<string[]> => {
    if (batch.length === 0) return [];
    const outcome = await transact(Object.fromEntries(batch.map((userId) => [userId, writesOf(userId)])));
    if (outcome.committed) return [];
    const { failed } = outcome;
    return [...failed.keys(), ...(await writeBatch(batch.filter((userId) => !failed.has(userId))))];
  };
  return (await pLimit(transactionsAtOnceMax).map(batches, writeBatch)).flat();
}

function nameOf({ displayName }: GroupFacts): UniqueName {
  return { kind: "group", value: displayName };
}

function memberIdOf({ sk }: Item): string {
  return String(sk).slice("MEMBER#".length);
}

/** Converts a group to a table item. Omits empty sets, because DynamoDB does not support them. */
function toItem({ formerNames, ...group }: StoredGroup): Item {
  const former = formerNames.length === 0 ? {} : { formerNames: new Set(formerNames) };
  return { ...keys.provisionedGroup(group.id), ...group, ...former };
}

function toGroup({ pk: _pk, sk: _sk, ...group }: Item): StoredGroup {
  return { ...(group as unknown as StoredGroup), formerNames: textsOf(group, "formerNames") };
}
