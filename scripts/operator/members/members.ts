import { readFile } from "node:fs/promises";
import { endMembershipOf, isSamePerson } from "../../../functions/people/accounts.ts";
import { isSameName, type MemberName, memberKey, memberRules } from "../../../functions/people/members.ts";
import { foldUsername } from "../../../functions/policies/access.ts";
import { tokens } from "../../../functions/table/tokens.ts";
import { suspend } from "../accounts/suspend.ts";
import { quote, UsageError } from "../command.ts";
import { defineServiceCommand, type OperatorAction, type Work } from "../service.ts";
import { nameOfUser } from "../table-reads.ts";
import {
  type AccountMembership,
  accountsOf,
  describeMembers,
  describeName,
  type MemberDirectory,
  parseMemberName,
  readMemberDirectory,
  type WrittenName,
} from "./member-directory.ts";
import { admit, commit, denial, removePerson, restorePerson } from "./member-writes.ts";

export const addMembersCommand = defineServiceCommand({
  usage: "members add [<who>…]",
  summary: "lets people publish",
  details: `
Takes effect at the next sign-in, without a deployment. Undoes an earlier removal. A user name belongs to the first person who signs in with
it. Anyone who takes over the name later is not a member.`,
  options: {
    accounts: "adds everyone who has an account, by user name",
    anew: "for a user name that now belongs to another person",
  },
  async run(work) {
    // Parses all names before the first change, so that an invalid name changes nothing.
    const names = work.words.map(parseMemberName);
    const { accounts: isEveryAccount, anew: isAnew } = work.options;
    if ((names.length === 0) !== isEveryAccount)
      throw new UsageError("Name people to add, or use --accounts.");
    if (isAnew && names.some(({ kind }) => kind !== "username"))
      throw new UsageError("--anew is for user names only. Other names are not bound to one person.");
    const directory = await readMemberDirectory();
    // With --accounts, skips accounts that an operator has removed.
    const all = isEveryAccount
      ? directory.accounts
          .filter(({ isRemoved, user }) => !isRemoved && !user.isBeingDeleted)
          .map(({ user }) => ({ kind: "account" as const, value: user.userId }))
      : names;
    let isWell = true;
    for (const name of all) isWell = (await add(work, name, directory, isAnew)) && isWell;
    if (isEveryAccount) work.print(`Accounts: ${all.length}.`);
    return isWell;
  },
});

export const removeMemberCommand = defineServiceCommand({
  usage: "members remove [<who>]",
  summary: "stops people or groups from publishing",
  details: `
The person can no longer publish, even if a rule admits them, and their tokens are revoked at once. A name without an account is refused at
sign-in. When you remove a group, the people in it lose their tokens, unless another rule or entry admits them. Pages stay. If the command
fails, run it again. Reads the whole table.

The file for --from has one name per line. Empty lines and lines that begin with # are ignored. Names that cannot be removed are printed.`,
  options: {
    "from <file>": "removes the people in this file, such as a list of leavers",
    hide: "also suspends the account, so that its pages cannot be read",
  },
  async run(work) {
    const { from, hide: isHidden } = work.options;
    if ((work.words.length === 0) !== (from !== undefined))
      throw new UsageError("Name a person or group to remove, or use --from <file>.");
    if (from === undefined) return removeMember(work, parseMemberName(work.word), isHidden);
    const names = await readNames(from);
    let failed = 0;
    for (const name of names)
      try {
        if (!(await removeMember(work, name, isHidden))) failed += 1;
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        work.print(`${describeName(name)} was not removed. ${error.message}`);
        failed += 1;
      }
    work.print(`Names: ${names.length}. Not removed: ${failed}.`);
    return failed === 0;
  },
});

/** Reads names from a file with one name per line. */
async function readNames(file: string): Promise<readonly WrittenName[]> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}.`);
  });
  const lines = text.split("\n").map((line) => line.trim());
  const written = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (written.length > 0) return written.map(parseMemberName);
  throw new UsageError(`${file} has no names. Write one on each line, such as ada or ada@example.com.`);
}

export const listMembersCommand = defineServiceCommand({
  usage: "members list",
  summary: "lists who may publish, and why",
  details:
    "Prints the rules of the settings, the operators' entries, and each account. Reads the whole table.",
  async run({ printAll }) {
    printAll(describeMembers(await readMemberDirectory()));
  },
});

async function add(
  { action: begin, print }: Work,
  name: WrittenName,
  directory: MemberDirectory,
  isAnew: boolean,
): Promise<boolean> {
  const act = await begin("add-member");
  const accounts = accountsOf(directory, name);
  const [owner] = accounts;
  if (name.kind === "account") {
    if (owner !== undefined) return addAccount(owner, directory, act, print);
    print(`There is no ${describeName(name)}.`);
    return false;
  }
  const before = directory.entries.find((entry) => isSameName(entry, name));
  for (const account of accounts.filter(({ isRemoved }) => isRemoved && name.kind !== "group"))
    await restorePerson(account, directory, act);
  await admit(name, act, { isAnew });
  print(`${describeName(name)} may publish.`);
  if (before?.boundTo !== undefined && !isAnew && name.kind === "username") {
    const whose = owner ? `the account ${owner.user.namespace}` : "a person who signed in before";
    print(
      `The name belongs to ${whose}. If another person has it now, run: members add --anew ${name.value}`,
    );
  }
  printSuspended(accounts, print);
  return true;
}

/** Admits the account's current user name, but only for the person of the account. */
async function addAccount(
  account: AccountMembership,
  directory: MemberDirectory,
  act: OperatorAction,
  print: (line: string) => void,
): Promise<boolean> {
  const { user, identity, isRemoved } = account;
  const username = { kind: "username", value: foldUsername(identity.username) } as const;
  const entry = directory.entries.find((one) => isSameName(one, username));
  if (isRemoved) await restorePerson(account, directory, act);
  const isOthers = entry?.boundTo !== undefined && !isSamePerson(entry.boundTo, identity);
  if (username.value === "" || isOthers) {
    const why = isOthers
      ? `has the user name of another person, ${username.value}`
      : "has no user name at the provider";
    print(`${user.namespace} ${why}. Add the person by e-mail address or group.`);
    return false;
  }
  const { provider, id } = identity;
  await admit(username, act, { boundTo: { provider, id } });
  print(`${user.namespace} may publish, through the ${describeName(username)}.`);
  printSuspended([account], print);
  return true;
}

function printSuspended(accounts: readonly AccountMembership[], print: (line: string) => void): void {
  for (const { user } of accounts.filter((account) => account.user.isSuspended))
    print(
      `The account ${user.namespace} is still suspended. To lift the suspension, run: unsuspend ${user.namespace}`,
    );
}

/** Removes a member. Can be called again after a failure at any step. */
async function removeMember(work: Work, name: WrittenName, isHidden: boolean): Promise<boolean> {
  if (name.kind === "group") return removeGroup(work, { kind: "group", value: name.value }, isHidden);
  const found = accountsOf(await readMemberDirectory(), name);
  if (found.length === 0) {
    if (name.kind === "account") throw new UsageError(`There is no account ${quote(name.value)}.`);
    const barring = await work.action("remove-member");
    await commit([denial({ kind: name.kind, value: name.value }, barring)], barring);
    work.print(`${describeName(name)} has no account, and is now barred.`);
  }
  // Reads the directory again, because someone may have signed in before the name was barred.
  const directory = await readMemberDirectory();
  const accounts = accountsOf(directory, name);
  if (accounts.length > 1) {
    const all = accounts.map(({ user }) => `account:${user.userId} (${user.namespace})`).join(", ");
    throw new UsageError(`More than one account has the ${describeName(name)}. Choose one: ${all}.`);
  }
  const [account] = accounts;
  if (account === undefined) return true;
  await removePerson(account, directory, await work.action("remove-member"));
  return endTokens(work, account, isHidden);
}

async function removeGroup(work: Work, name: MemberName, isHidden: boolean): Promise<boolean> {
  if (isHidden)
    throw new UsageError("--hide works for one person only. Remove the people in the group one by one.");
  const rules = memberRules();
  if (rules === "anyone" || rules.groups.includes(name.value))
    throw new UsageError(
      `The settings admit the ${describeName(name)}. Change the setting members, deploy, and run this command again.`,
    );
  // Removes the entry by which an operator has admitted the group.
  if ((await readMemberDirectory()).entries.some((entry) => isSameName(entry, name)))
    await commit([{ remove: memberKey(name) }], await work.action("remove-member"));
  work.print(`${describeName(name)} no longer admits anyone.`);
  const left = accountsOf(await readMemberDirectory(), name).filter(
    ({ membership, isEnded, tokenCount }) => !membership.isMember && !(isEnded && tokenCount === 0),
  );
  for (const account of left) {
    const { userId } = account.user;
    const ending = await work.action("remove-member");
    await commit([endMembershipOf(userId, ending.atMs)], ending, userId);
    await endTokens(work, account, false);
  }
  work.print(`Accounts that are no longer members: ${left.length}.`);
  return true;
}

async function endTokens(work: Work, { user }: AccountMembership, isHidden: boolean): Promise<boolean> {
  const count = await tokens.revokeAll(user.userId, await work.action("revoke-token"));
  work.print(`${nameOfUser(user)} may not publish any more. Tokens revoked: ${count}.`);
  if (isHidden) return suspend(work, user);
  work.print(
    `Their pages stay. suspend ${user.namespace} hides them; transfer ${user.namespace} <to> gives them to somebody else.`,
  );
  return true;
}
