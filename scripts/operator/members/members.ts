import { foldUsername, isSameName, isSamePerson } from "../../../functions/identity/members.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import type { Terminal } from "../terminal.ts";
import { letIn, restorePerson } from "./member-changes.ts";
import {
  type AccountMembership,
  accountsOf,
  type MemberDirectory,
  readMemberDirectory,
} from "./member-directory.ts";
import { listMembers } from "./member-list.ts";
import { describeName, parseMemberName, type WrittenName } from "./member-name.ts";
import { removeMember } from "./member-removal.ts";

/** `members add | remove | list` */
export const membersCommand: Command = {
  usage: `(add <who>… | remove <who> | list) ${serviceUsage}`,
  summary: "lets people publish, ends that, and lists who may and why",
  help: `
<who> is a user name at the identity provider (ada), a verified e-mail address (ada@example.com), or with its kind in front:
username:, email:, group: (a value of the claim that the setting members.groups names) or account: (a user id or a namespace).

add      holds from the next sign-in on, without a deployment, and takes back a removal. A user name is its person's from their
         first sign-in under it: whoever takes it over later is somebody else.
remove   the person is a member no more, whatever rule or group would let them in, and all their tokens are revoked at once.
         Who has no account yet is kept out by the name. Of a group, those whom nothing else lets in lose their tokens.
         Pages stay; with --hide nobody reads them (as after suspend). May be run again after a failure half-way.
list     each entry, each account with what makes its person a member, and the rules of the settings. add and remove of
         accounts and list read the whole table.

  --accounts       with add: everyone who has an account, each by their user name; for an upgrade
  --anew           with add of a user name: it is another person's by now
  --hide           with remove: suspends the account, too${serviceHelp}`,
  options: {
    ...serviceOptions,
    accounts: { type: "boolean" },
    anew: { type: "boolean" },
    hide: { type: "boolean" },
  },
  async run(input, terminal) {
    const [what = "", ...written] = input.words;
    requireOptionsOf(what, input);
    switch (what) {
      case "add":
        return add(await openMembers(input, written), terminal);
      case "remove": {
        const [name, ...others] = written.map(parseMemberName);
        if (name === undefined || others.length > 0)
          throw new UsageError("Say whom to remove, one at a time.");
        return removeMember(name, await openService(input), {
          terminal,
          isHidden: input.options.hide === true,
        });
      }
      case "list":
        if (written.length > 0) throw new UsageError("list takes nobody: it lists everyone.");
        await openService(input);
        return listMembers(await readMemberDirectory(), terminal);
      default:
        throw new UsageError("Say what to do: members add, members remove or members list.");
    }
  },
};

const optionsOf: Readonly<Record<string, readonly string[]>> = {
  add: ["accounts", "anew"],
  remove: ["hide"],
};

function requireOptionsOf(what: string, { options }: CommandInput): void {
  for (const [of, names] of Object.entries(optionsOf))
    for (const name of names)
      if (options[name] === true && of !== what) throw new UsageError(`--${name} goes with members ${of}.`);
}

interface Addition {
  readonly service: Service;
  readonly names: readonly WrittenName[];
  readonly isEveryAccount: boolean;
  readonly isAnew: boolean;
}

async function openMembers(input: CommandInput, written: readonly string[]): Promise<Addition> {
  // All of them before the first: nothing is done of what was misspelt.
  const names = written.map(parseMemberName);
  const isEveryAccount = input.options.accounts === true;
  const isAnew = input.options.anew === true;
  if ((names.length === 0) !== isEveryAccount) throw new UsageError("Say whom to add, or --accounts.");
  if (isAnew && names.some(({ kind }) => kind !== "username"))
    throw new UsageError("--anew is of user names: no other name becomes somebody's.");
  return { service: await openService(input), names, isEveryAccount, isAnew };
}

async function add(
  { service, names, isEveryAccount, isAnew }: Addition,
  terminal: Terminal,
): Promise<boolean> {
  const directory = await readMemberDirectory();
  let isWell = true;
  const all = isEveryAccount ? everyAccount(directory) : names;
  for (const name of all) isWell = (await addOne({ name, service, directory, isAnew }, terminal)) && isWell;
  if (isEveryAccount) terminal.print(`Accounts: ${all.length}.`);
  return isWell;
}

/** Whom the operator has removed stays so. */
function everyAccount({ accounts }: MemberDirectory): WrittenName[] {
  return accounts
    .filter(({ isRemoved, user }) => !isRemoved && !user.isBeingDeleted)
    .map(({ user }) => ({ kind: "account", value: user.userId }));
}

interface OneAddition {
  readonly name: WrittenName;
  readonly service: Service;
  readonly directory: MemberDirectory;
  readonly isAnew: boolean;
}

async function addOne(
  { name, service, directory, isAnew }: OneAddition,
  terminal: Terminal,
): Promise<boolean> {
  const act = await operatorAct(service, "add-member");
  const by = act.actor.kind === "operator" ? act.actor.name : "";
  const meant = accountsOf(directory, name);
  if (name.kind === "account") return addAccount(name, meant, { act, by, directory, terminal });
  const before = directory.entries.find((entry) => isSameName(entry, name));
  for (const account of meant.filter(({ isRemoved }) => isRemoved && name.kind !== "group"))
    await restorePerson(account, directory, act);
  await letIn(name, { act, by, isAnew });
  terminal.print(`${describeName(name)} may publish.`);
  if (before?.boundTo !== undefined && !isAnew && name.kind === "username") {
    const [owner] = meant;
    const whose =
      owner === undefined ? "somebody's who signed in before" : `the account's ${owner.user.namespace}`;
    terminal.print(
      `The name is ${whose}. If it is another person's by now: members add --anew ${name.value}`,
    );
  }
  tellSuspended(meant, terminal);
  return true;
}

interface AccountAddition {
  readonly act: Awaited<ReturnType<typeof operatorAct>>;
  readonly by: string;
  readonly directory: MemberDirectory;
  readonly terminal: Terminal;
}

/** By the user name that its person had last, which is theirs and nobody else's. */
async function addAccount(
  name: WrittenName,
  [account]: readonly AccountMembership[],
  { act, by, directory, terminal }: AccountAddition,
): Promise<boolean> {
  if (account === undefined) {
    terminal.print(`There is no account ${describeName(name)}.`);
    return false;
  }
  const { user, identity, isRemoved } = account;
  const value = foldUsername(identity.username);
  const entry = directory.entries.find((one) => isSameName(one, { kind: "username", value }));
  const { provider, id } = identity;
  if (isRemoved) await restorePerson(account, directory, act);
  if (value === "" || (entry?.boundTo !== undefined && !isSamePerson(entry.boundTo, identity))) {
    const why =
      value === "" ? "has no user name at the provider" : `has the user name of somebody else, ${value}`;
    terminal.print(`${user.namespace} ${why}: add them by e-mail or group.`);
    return false;
  }
  await letIn({ kind: "username", value }, { act, by, boundTo: { provider, id } });
  terminal.print(`${user.namespace} may publish, by the ${describeName({ kind: "username", value })}.`);
  tellSuspended([account], terminal);
  return true;
}

function tellSuspended(accounts: readonly AccountMembership[], terminal: Terminal): void {
  for (const { user } of accounts.filter((account) => account.user.isSuspended))
    terminal.print(`The account ${user.namespace} is suspended still: unsuspend ${user.namespace}`);
}
