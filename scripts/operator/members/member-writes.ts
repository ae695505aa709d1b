import {
  endMembershipOf,
  type IdentityKey,
  isSamePerson,
  removedAttribute,
} from "../../../functions/people/accounts.ts";
import { type MemberName, memberKey } from "../../../functions/people/members.ts";
import { foldUsername } from "../../../functions/policies/access.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { keys } from "../../../functions/table/keys.ts";
import { type TransactionWrite, transact } from "../../../functions/table/table-writes.ts";
import type { OperatorAction } from "../service.ts";
import { nameOfUser } from "../table-reads.ts";
import type { AccountMembership, MemberDirectory } from "./member-directory.ts";

/** Commits writes together with an audit entry. Resolves to false if a condition does not hold. */
export async function commit(writes: readonly TransactionWrite[], act: Act, ownerId?: string) {
  return (await transact([...writes, auditWrite(act, { ownerId })])).committed;
}

/**
 * Adds a name to the members, even if the name was barred.
 *
 * @param boundTo the only identity that may use the name. @default - the first person who signs in with the name
 * @param isAnew true if the name has passed to another person
 */
export async function admit(
  name: MemberName,
  act: OperatorAction,
  { boundTo, isAnew = false }: { readonly boundTo?: IdentityKey; readonly isAnew?: boolean },
): Promise<void> {
  const added = "addedAtMs = if_not_exists(addedAtMs, :now), addedBy = if_not_exists(addedBy, :by)";
  const update = `SET ${added}${boundTo ? ", boundTo = :boundTo" : ""} REMOVE deniedAtMs, deniedFor${isAnew ? ", boundTo" : ""}`;
  const values = { ":now": act.atMs, ":by": act.actor.name, ":boundTo": boundTo };
  await commit([{ key: memberKey(name), update, values }], act);
}

/** Bars the person of an account, even if a rule admits them. The account gets no new tokens. The caller must revoke existing tokens. */
export async function removePerson(
  { user, identity }: AccountMembership,
  { entries }: MemberDirectory,
  act: Act,
): Promise<void> {
  const { userId } = user;
  const own = entries.filter(
    ({ kind, value, boundTo }) =>
      kind === "username" &&
      (boundTo === undefined ? value === foldUsername(identity.username) : isSamePerson(boundTo, identity)),
  );
  const removal = {
    key: keys.identity(identity.provider, identity.id),
    update: `SET ${removedAttribute} = if_not_exists(${removedAttribute}, :now)`,
    condition: "userId = :userId",
    values: { ":now": act.atMs, ":userId": userId },
  };
  const writes = [
    removal,
    endMembershipOf(userId, act.atMs),
    ...own.map((entry) => ({ remove: memberKey(entry) })),
    ...identity.emails.map((value) => denial({ kind: "email", value }, act, userId)),
  ];
  if (!(await commit(writes, act, userId)))
    throw new Error(`The account ${nameOfUser(user)} was deleted, or is being deleted.`);
}

/** Undoes the removal of a person. Lifts the bar on all names of this person. */
export async function restorePerson(
  { user, identity }: AccountMembership,
  { entries }: MemberDirectory,
  act: Act,
): Promise<void> {
  const values = { ":userId": user.userId };
  const key = keys.identity(identity.provider, identity.id);
  const condition = "attribute_not_exists(pk) OR deniedFor = :userId";
  const denied = entries.filter(({ deniedFor }) => deniedFor === user.userId);
  const writes = [
    { key, update: `REMOVE ${removedAttribute}`, condition: "userId = :userId", values },
    ...denied.map((entry) => ({ remove: memberKey(entry), condition, values })),
  ];
  if (!(await commit(writes, act, user.userId)))
    throw new Error(`${user.namespace} was changed in the meantime. Run the command again.`);
}

/** Builds the write that bars a name. `userId` is the removed account to whose person the name belongs. */
export function denial(name: MemberName, act: Act, userId?: string): TransactionWrite {
  return {
    key: memberKey(name),
    update: `SET deniedAtMs = if_not_exists(deniedAtMs, :now)${userId === undefined ? "" : ", deniedFor = :userId"} REMOVE addedAtMs, addedBy, boundTo`,
    values: { ":now": act.atMs, ":userId": userId },
  };
}
