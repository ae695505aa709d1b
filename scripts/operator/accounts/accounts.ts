import { type Command, type CommandInput, UsageError } from "../command.ts";
import { type AccountMembership, readMemberDirectory } from "../members/member-directory.ts";
import { describeMembership } from "../members/member-list.ts";
import { openService, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import { momentOf, quote } from "../terminal.ts";

/** `accounts [<text>]` */
export const accountsCommand: Command = {
  usage: `[<text>] ${serviceUsage}`,
  summary: "lists the accounts, or those whose names, addresses or ids hold a text",
  help: `
Of each its namespace and user id, the user name, when it was made, what it holds, how many tokens it has, and whether its person
is a member, suspended or being deleted. With a text those whose user id is it, or whose namespace, user name or verified e-mail
address at the last sign-in holds it, whatever the case of its letters. It reads the whole table.

What to do with one: tokens, suspend, members remove, export, delete-account.
${serviceHelp}`,
  options: serviceOptions,
  async run(input, terminal) {
    const text = readText(input);
    await openService(input);
    const { accounts } = await readMemberDirectory();
    const found = accounts
      .filter((account) => text === undefined || holds(account, text))
      .toSorted((one, other) => (one.user.namespace < other.user.namespace ? -1 : 1));
    for (const account of found) terminal.print(describe(account));
    terminal.print(`Accounts: ${found.length}${text === undefined ? "" : ` of ${accounts.length}`}.`);
    return true;
  },
};

function readText({ words }: CommandInput): string | undefined {
  const [text, ...others] = words;
  if (others.length > 0) throw new UsageError(`One text at a time, not ${words.join(" ")}.`);
  return text;
}

function holds({ user, identity }: AccountMembership, text: string): boolean {
  const names = [user.namespace, identity.username, ...identity.emails];
  return user.userId === text || names.some((name) => name.toLowerCase().includes(text.toLowerCase()));
}

function describe({ user, identity, membership, tokenCount }: AccountMembership): string {
  const { namespace, userId, item, isSuspended, isBeingDeleted } = user;
  return [
    `${namespace} (${userId})`,
    `user name ${quote(identity.username)}`,
    `made ${momentOf(item.createdAtMs as number)}`,
    `drops ${item.dropCount}`,
    `files ${item.blobCount}`,
    `tokens ${tokenCount}`,
    describeMembership(membership),
    ...(isSuspended ? ["suspended"] : []),
    ...(isBeingDeleted ? ["being deleted"] : []),
  ].join("  ");
}
