import {
  endMembershipOf,
  type IdentityKey,
  isSamePerson,
  removedAttribute,
} from "../../../functions/identity/accounts.ts";
import { type MemberName, memberKey } from "../../../functions/identity/members.ts";
import { foldUsername } from "../../../functions/policies/access.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { keys } from "../../../functions/table/keys.ts";
import { type TransactionWrite, transact } from "../../../functions/table/table-writes.ts";
import type { OperatorAct } from "../operator-act.ts";
import type { AccountMembership, MemberDirectory } from "./member-directory.ts";

/** Admits a name, or only one identity of that name. Removes a bar of the name. */
export async function addMember(
  name: MemberName,
  act: OperatorAct,
  { boundTo, isAnew = false }: AdmissionOptions = {},
): Promise<void> {
  const sets = [
    "addedAtMs = if_not_exists(addedAtMs, :now)",
    "addedBy = if_not_exists(addedBy, :by)",
    ...(boundTo === undefined ? [] : ["boundTo = :boundTo"]),
  ];
  const removes = ["deniedAtMs", "deniedFor", ...(isAnew ? ["boundTo"] : [])];
  await transact([
    {
      key: memberKey(name),
      update: `SET ${sets.join(", ")} REMOVE ${removes.join(", ")}`,
      values: {
        ":now": act.atMs,
        ":by": act.actor.name,
        ...(boundTo === undefined ? {} : { ":boundTo": boundTo }),
      },
    },
    auditWrite(act, {}),
  ]);
}

interface AdmissionOptions {
  /** @default - whoever signs in first under the name */
  readonly boundTo?: IdentityKey;
  /** The name belongs to another person now. @default false */
  readonly isAnew?: boolean;
}

/** Bars a name that has no account yet. */
export async function barName(name: MemberName, act: Act): Promise<void> {
  await transact([denial(name, act), auditWrite(act, {})]);
}

/** Removes the operator's decision about a name. */
export async function forgetName(name: MemberName, act: Act): Promise<void> {
  await transact([{ remove: memberKey(name) }, auditWrite(act, {})]);
}

/**
 * Bars the person of an account, by identity and addresses, whatever else admits them. The account gets no new tokens; its
 * present ones have to be revoked.
 *
 * @throws Error if the account is being deleted
 */
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
  const outcome = await transact([
    {
      key: keys.identity(identity.provider, identity.id),
      update: `SET ${removedAttribute} = if_not_exists(${removedAttribute}, :now)`,
      condition: "userId = :userId",
      values: { ":now": act.atMs, ":userId": userId },
    },
    endMembershipOf(userId, act.atMs),
    ...own.map((entry) => ({ remove: memberKey(entry) })),
    ...identity.emails.map((value) => denial({ kind: "email", value }, act, userId)),
    auditWrite(act, { ownerId: userId }),
  ]);
  if (!outcome.committed)
    throw new Error(`The account ${user.namespace} (${userId}) is gone, or is being deleted.`);
}

/** Ends the membership of an account whose person nothing admits any more. It gets no new tokens. */
export async function endMembership({ user: { userId } }: AccountMembership, act: Act): Promise<void> {
  await transact([endMembershipOf(userId, act.atMs), auditWrite(act, { ownerId: userId })]);
}

/** Takes back the removal of a person, under all of their names. */
export async function restorePerson(
  { user, identity }: AccountMembership,
  { entries }: MemberDirectory,
  act: Act,
): Promise<void> {
  const { userId } = user;
  const outcome = await transact([
    {
      key: keys.identity(identity.provider, identity.id),
      update: `REMOVE ${removedAttribute}`,
      condition: "userId = :userId",
      values: { ":userId": userId },
    },
    ...entries
      .filter(({ deniedFor }) => deniedFor === userId)
      .map((entry) => ({
        remove: memberKey(entry),
        condition: "attribute_not_exists(pk) OR deniedFor = :userId",
        values: { ":userId": userId },
      })),
    auditWrite(act, { ownerId: userId }),
  ]);
  if (!outcome.committed) throw new Error(`${user.namespace} was changed meanwhile: run the command again.`);
}

function denial(name: MemberName, act: Act, userId?: string): TransactionWrite {
  return {
    key: memberKey(name),
    update: `SET deniedAtMs = if_not_exists(deniedAtMs, :now)${userId === undefined ? "" : ", deniedFor = :userId"} REMOVE addedAtMs, addedBy, boundTo`,
    values: { ":now": act.atMs, ...(userId === undefined ? {} : { ":userId": userId }) },
  };
}
