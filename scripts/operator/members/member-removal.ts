import { isSameName, type MemberName, memberRules } from "../../../functions/identity/members.ts";
import { tokens } from "../../../functions/table/tokens.ts";
import { suspend } from "../accounts/suspend.ts";
import { UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import type { Service } from "../service.ts";
import { quote, type Terminal } from "../terminal.ts";
import { barName, endMembership, forgetName, removePerson } from "./member-changes.ts";
import { type AccountMembership, accountsOf, readMemberDirectory } from "./member-directory.ts";
import { describeName, type WrittenName } from "./member-name.ts";

interface Options {
  readonly terminal: Terminal;
  /** Suspends the account too, so that nobody can read its pages. */
  readonly isHidden: boolean;
}

/** Removes a member. It can be run again after a failure at any step. */
export async function removeMember(name: WrittenName, service: Service, options: Options): Promise<boolean> {
  if (name.kind === "group") return removeGroup({ kind: "group", value: name.value }, service, options);
  const { terminal } = options;
  const found = accountsOf(await readMemberDirectory(), name);
  if (found.length === 0) {
    if (name.kind === "account") throw new UsageError(`There is no account ${quote(name.value)}.`);
    await barName({ kind: name.kind, value: name.value }, await operatorAct(service, "remove-member"));
    terminal.print(`${describeName(name)} is kept out from now on, and has no account.`);
  }
  // Repeats the search, since somebody may have signed in before the name was barred.
  const directory = await readMemberDirectory();
  const accounts = accountsOf(directory, name);
  if (accounts.length > 1) throw new UsageError(severalMeant(name, accounts));
  const [account] = accounts;
  if (account === undefined) return true;
  await removePerson(account, directory, await operatorAct(service, "remove-member"));
  return endTokens(account, service, options);
}

function severalMeant(name: WrittenName, accounts: readonly AccountMembership[]): string {
  const each = accounts.map(({ user }) => `account:${user.userId} (${user.namespace})`);
  return `More than one account goes by the ${describeName(name)}. Say which: ${each.join(", ")}.`;
}

async function removeGroup(name: MemberName, service: Service, options: Options): Promise<boolean> {
  const { terminal } = options;
  if (options.isHidden) throw new UsageError("--hide is of one person's pages: remove them one by one.");
  const rules = memberRules();
  if (rules === "anyone" || rules.groups.includes(name.value))
    throw new UsageError(
      `The settings let in the ${describeName(name)}: change members there, deploy, and run this again.`,
    );
  const before = await readMemberDirectory();
  if (before.entries.some((entry) => isSameName(entry, name)))
    await forgetName(name, await operatorAct(service, "remove-member"));
  terminal.print(`${describeName(name)} lets nobody in.`);
  const left = accountsOf(await readMemberDirectory(), name).filter(
    ({ membership, isEnded, tokenCount }) => !membership.isMember && !(isEnded && tokenCount === 0),
  );
  for (const account of left) {
    await endMembership(account, await operatorAct(service, "remove-member"));
    await endTokens(account, service, options);
  }
  terminal.print(`Accounts that are members no more: ${left.length}.`);
  return true;
}

async function endTokens(
  { user }: AccountMembership,
  service: Service,
  { terminal, isHidden }: Options,
): Promise<boolean> {
  const { userId, namespace } = user;
  const count = await tokens.revokeAll(userId, await operatorAct(service, "revoke-token"));
  terminal.print(`${namespace} (${userId}) may not publish any more. Tokens revoked: ${count}.`);
  if (isHidden) return suspend(service, user, terminal);
  terminal.print(
    `Their pages stay. suspend ${namespace} hides them; transfer ${namespace} <to> gives them to somebody else.`,
  );
  return true;
}
