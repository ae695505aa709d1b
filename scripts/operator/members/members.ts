import { readFileSync } from "node:fs";
import { isSamePerson } from "../../../functions/people/accounts.ts";
import { isSameName } from "../../../functions/people/members.ts";
import { foldUsername } from "../../../functions/policies/access.ts";
import { UsageError } from "../command.ts";
import { defineServiceCommand, type OperatorAct } from "../service.ts";
import { addMember, removeMember, restorePerson } from "./member-changes.ts";
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

export const addMembersCommand = defineServiceCommand({
  usage: "members add [<who>…]",
  summary: "lets people publish",
  details: `
Takes effect at the next sign-in, without a deployment, and takes back a removal. A user name belongs to the first person who signs in with
it. Anyone who takes over the name later is not a member.`,
  options: {
    accounts: "everyone who has an account, by their user name",
    anew: "the user name belongs to another person now",
  },
  async run({ words, options, act, print }) {
    // All names are parsed before the first change.
    const names = words.map(parseMemberName);
    const { accounts: isEveryAccount, anew: isAnew } = options;
    if ((names.length === 0) !== isEveryAccount)
      throw new UsageError("Name people to add, or use --accounts.");
    if (isAnew && names.some(({ kind }) => kind !== "username"))
      throw new UsageError("--anew is for user names only. No other name belongs to one person.");
    const directory = await readMemberDirectory();
    // Without accounts that the operator has removed.
    const all = isEveryAccount
      ? directory.accounts
          .filter(({ isRemoved, user }) => !isRemoved && !user.isBeingDeleted)
          .map(({ user }) => ({ kind: "account" as const, value: user.userId }))
      : names;
    let isWell = true;
    for (const name of all)
      isWell = (await add(name, await act("add-member"), { directory, isAnew, print })) && isWell;
    if (isEveryAccount) print(`Accounts: ${all.length}.`);
    return isWell;
  },
});

export const removeMemberCommand = defineServiceCommand({
  usage: "members remove [<who>]",
  summary: "stops people or groups from publishing",
  details: `
The person cannot publish any more, whatever admits them, and their tokens are revoked at once. A name without an account is refused at
sign-in. Of a group, all people whom nothing else admits lose their tokens. Pages stay. If it fails on the way, run it again. Reads the
whole table.

A file has a name on each line. Empty lines and lines that begin with # are ignored. Names that cannot be removed are printed.`,
  options: {
    "from <file>": "removes the people in this file, such as a list of leavers",
    hide: "also suspends the account, so that its pages cannot be read",
  },
  async run({ words, word, options: { from, hide: isHidden }, service, print, terminal }) {
    if ((words.length === 0) !== (from !== undefined))
      throw new UsageError("Name whom to remove, or use --from <file>.");
    const removal = { service, terminal, isHidden };
    if (from === undefined) return removeMember(parseMemberName(word), removal);
    // All names are parsed before the first change.
    const names = readNames(from);
    let failed = 0;
    for (const name of names) {
      const isRemoved = await removeMember(name, removal).catch((error: unknown) => {
        if (!(error instanceof UsageError)) throw error;
        print(`${describeName(name)} was not removed. ${error.message}`);
        return false;
      });
      if (!isRemoved) failed += 1;
    }
    print(`Names: ${names.length}. Not removed: ${failed}.`);
    return failed === 0;
  },
});

/** Reads the names in a file, one a line. */
function readNames(file: string): readonly WrittenName[] {
  const lines = readFile(file)
    .split("\n")
    .map((line) => line.trim());
  const names = lines.filter((line) => line !== "" && !line.startsWith("#")).map(parseMemberName);
  if (names.length > 0) return names;
  throw new UsageError(`${file} has no names. Write one on each line, such as ada or ada@example.com.`);
}

function readFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

export const listMembersCommand = defineServiceCommand({
  usage: "members list",
  summary: "lists who may publish, and why",
  details:
    "Prints the rules of the settings, what operators have said, and each account. Reads the whole table.",
  async run({ printAll }) {
    printAll(describeMembers(await readMemberDirectory()));
  },
});

interface Addition {
  readonly directory: MemberDirectory;
  readonly isAnew: boolean;
  readonly print: (line: string) => void;
}

async function add(name: WrittenName, act: OperatorAct, addition: Addition): Promise<boolean> {
  const { directory, isAnew, print } = addition;
  const meant = accountsOf(directory, name);
  if (name.kind === "account") return addAccount(name, meant, act, addition);
  const before = directory.entries.find((entry) => isSameName(entry, name));
  for (const account of meant.filter(({ isRemoved }) => isRemoved && name.kind !== "group"))
    await restorePerson(account, directory, act);
  await addMember(name, act, { isAnew });
  print(`${describeName(name)} may publish.`);
  if (before?.boundTo !== undefined && !isAnew && name.kind === "username") {
    const [owner] = meant;
    const whose =
      owner === undefined ? "somebody who signed in before" : `the account ${owner.user.namespace}`;
    print(`The name belongs to ${whose}. If another person has it now: members add --anew ${name.value}`);
  }
  printSuspended(meant, print);
  return true;
}

/** Adds the last user name of the account, bound to its person. */
async function addAccount(
  name: WrittenName,
  [account]: readonly AccountMembership[],
  act: OperatorAct,
  { directory, print }: Addition,
): Promise<boolean> {
  if (account === undefined) {
    print(`There is no ${describeName(name)}.`);
    return false;
  }
  const { user, identity, isRemoved } = account;
  const username = { kind: "username", value: foldUsername(identity.username) } as const;
  const entry = directory.entries.find((one) => isSameName(one, username));
  const { provider, id } = identity;
  if (isRemoved) await restorePerson(account, directory, act);
  const isOthers = entry?.boundTo !== undefined && !isSamePerson(entry.boundTo, identity);
  if (username.value === "" || isOthers) {
    const why = isOthers
      ? `has the user name of another person, ${username.value}`
      : "has no user name at the provider";
    print(`${user.namespace} ${why}. Add them by email or group.`);
    return false;
  }
  await addMember(username, act, { boundTo: { provider, id } });
  print(`${user.namespace} may publish, by the ${describeName(username)}.`);
  printSuspended([account], print);
  return true;
}

function printSuspended(accounts: readonly AccountMembership[], print: (line: string) => void): void {
  for (const { user } of accounts.filter((account) => account.user.isSuspended))
    print(`The account ${user.namespace} is still suspended. To lift that: unsuspend ${user.namespace}`);
}
