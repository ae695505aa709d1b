import {
  endMembershipOf,
  type IdentityKey,
  isSamePerson,
  removedAttribute,
} from "../../../functions/people/accounts.ts";
import { isSameName, type MemberName, memberKey, memberRules } from "../../../functions/people/members.ts";
import { foldUsername } from "../../../functions/policies/access.ts";
import type { Act } from "../../../functions/table/audit.ts";
import { auditWrite } from "../../../functions/table/audit-trail.ts";
import { keys } from "../../../functions/table/keys.ts";
import { type TransactionWrite, transact } from "../../../functions/table/table-writes.ts";
import { tokens } from "../../../functions/table/tokens.ts";
import { suspend } from "../accounts/suspend.ts";
import { quote, type Terminal, UsageError } from "../command.ts";
import { type OperatorAct, operatorAct, type Service } from "../service.ts";
import { nameOfUser } from "../table-reads.ts";
import {
  type AccountMembership,
  accountsOf,
  describeName,
  type MemberDirectory,
  readMemberDirectory,
  type WrittenName,
} from "./member-directory.ts";

interface Removal {
  readonly service: Service;
  readonly terminal: Terminal;
  /** Suspends the account too, so that its pages cannot be read. */
  readonly isHidden: boolean;
}

/** Removes a member. It can be run again after a failure at any step. */
export async function removeMember(name: WrittenName, removal: Removal): Promise<boolean> {
  if (name.kind === "group") return removeGroup({ kind: "group", value: name.value }, removal);
  const act = () => operatorAct(removal.service, "remove-member");
  const found = accountsOf(await readMemberDirectory(), name);
  if (found.length === 0) {
    if (name.kind === "account") throw new UsageError(`There is no account ${quote(name.value)}.`);
    const barring = await act();
    await commit([denial({ kind: name.kind, value: name.value }, barring)], barring);
    removal.terminal.print(`${describeName(name)} is kept out from now on, and has no account.`);
  }
  // Repeats the search, since somebody may have signed in before the name was barred.
  const directory = await readMemberDirectory();
  const accounts = accountsOf(directory, name);
  if (accounts.length > 1) {
    const each = accounts.map(({ user }) => `account:${user.userId} (${user.namespace})`);
    throw new UsageError(
      `More than one account goes by the ${describeName(name)}. Say which: ${each.join(", ")}.`,
    );
  }
  const [account] = accounts;
  if (account === undefined) return true;
  await removePerson(account, directory, await act());
  return endTokens(account, removal);
}

async function removeGroup(name: MemberName, removal: Removal): Promise<boolean> {
  const { service, terminal, isHidden } = removal;
  if (isHidden) throw new UsageError("--hide is of one person's pages: remove them one by one.");
  const rules = memberRules();
  if (rules === "anyone" || rules.groups.includes(name.value))
    throw new UsageError(
      `The settings let in the ${describeName(name)}: change members there, deploy, and run this again.`,
    );
  const act = () => operatorAct(service, "remove-member");
  // Removes the operator's decision about the name.
  if ((await readMemberDirectory()).entries.some((entry) => isSameName(entry, name)))
    await commit([{ remove: memberKey(name) }], await act());
  terminal.print(`${describeName(name)} lets nobody in.`);
  const left = accountsOf(await readMemberDirectory(), name).filter(
    ({ membership, isEnded, tokenCount }) => !membership.isMember && !(isEnded && tokenCount === 0),
  );
  for (const account of left) {
    const { userId } = account.user;
    const ending = await act();
    await commit([endMembershipOf(userId, ending.atMs)], ending, userId);
    await endTokens(account, removal);
  }
  terminal.print(`Accounts that are members no more: ${left.length}.`);
  return true;
}

async function endTokens(
  { user }: AccountMembership,
  { service, terminal, isHidden }: Removal,
): Promise<boolean> {
  const count = await tokens.revokeAll(user.userId, await operatorAct(service, "revoke-token"));
  terminal.print(`${nameOfUser(user)} may not publish any more. Tokens revoked: ${count}.`);
  if (isHidden) return suspend(service, user, terminal);
  terminal.print(
    `Their pages stay. suspend ${user.namespace} hides them; transfer ${user.namespace} <to> gives them to somebody else.`,
  );
  return true;
}

/** Commits writes with their line in the audit trail. Resolves to false if a condition does not hold. */
async function commit(writes: readonly TransactionWrite[], act: Act, ownerId?: string): Promise<boolean> {
  return (await transact([...writes, auditWrite(act, { ownerId })])).committed;
}

/**
 * Admits a name, and removes a bar of the name.
 *
 * @param boundTo the only identity that the name admits. @default - the first person who signs in under the name
 * @param isAnew the name belongs to another person now
 */
export async function addMember(
  name: MemberName,
  act: OperatorAct,
  { boundTo, isAnew = false }: { readonly boundTo?: IdentityKey; readonly isAnew?: boolean },
): Promise<void> {
  const added = "addedAtMs = if_not_exists(addedAtMs, :now), addedBy = if_not_exists(addedBy, :by)";
  const bound = boundTo === undefined ? {} : { ":boundTo": boundTo };
  const update = `SET ${added}${boundTo ? ", boundTo = :boundTo" : ""} REMOVE deniedAtMs, deniedFor${isAnew ? ", boundTo" : ""}`;
  const values = { ":now": act.atMs, ":by": act.actor.name, ...bound };
  await commit([{ key: memberKey(name), update, values }], act);
}

/** Bars the person of an account, whatever else admits them. The account gets no new tokens; its present ones have to be revoked. */
async function removePerson(
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
    throw new Error(`The account ${nameOfUser(user)} is gone, or is being deleted.`);
}

/** Takes back the removal of a person, under all of their names. */
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
    throw new Error(`${user.namespace} was changed meanwhile: run the command again.`);
}

/** Bars a name, of an account or by itself. */
function denial(name: MemberName, act: Act, userId?: string): TransactionWrite {
  const whose = userId === undefined ? {} : { ":userId": userId };
  return {
    key: memberKey(name),
    update: `SET deniedAtMs = if_not_exists(deniedAtMs, :now)${userId === undefined ? "" : ", deniedFor = :userId"} REMOVE addedAtMs, addedBy, boundTo`,
    values: { ":now": act.atMs, ...whose },
  };
}
