import { defineCommand } from "../command.ts";
import { type AccountMembership, readMemberDirectory } from "../members/member-directory.ts";
import { describeMembership } from "../members/member-list.ts";
import { openService, serviceOptions } from "../service.ts";
import { formatUtc, quote } from "../terminal.ts";

/** `accounts` */
export const accountsCommand = defineCommand({
  name: "accounts",
  words: "[<text>]",
  summary: "lists accounts",
  details: `
Prints for each account its namespace, user id and user name, the time when it was created, its drops, files and tokens, and whether
its person is a member, suspended or being deleted. With <text>, lists the accounts that have it as user id, or in the namespace, the
user name or a verified email address. Ignores case. Reads the whole table.

See also: tokens, suspend, members remove, export, delete-account.`,
  options: serviceOptions,
  async run(input, terminal) {
    const text = input.words[0];
    await openService(input.options);
    const { accounts } = await readMemberDirectory();
    const found = accounts
      .filter((account) => text === undefined || holds(account, text))
      .toSorted((one, other) => (one.user.namespace < other.user.namespace ? -1 : 1));
    for (const account of found) terminal.print(describe(account));
    terminal.print(`Accounts: ${found.length}${text === undefined ? "" : ` of ${accounts.length}`}.`);
    return true;
  },
});

function holds({ user, identity }: AccountMembership, text: string): boolean {
  const names = [user.namespace, identity.username, ...identity.emails];
  return user.userId === text || names.some((name) => name.toLowerCase().includes(text.toLowerCase()));
}

function describe({ user, identity, membership, tokenCount }: AccountMembership): string {
  const { namespace, userId, item, isSuspended, isBeingDeleted } = user;
  return [
    `${namespace} (${userId})`,
    `user name ${quote(identity.username)}`,
    `created ${formatUtc(item.createdAtMs as number)}`,
    `drops ${item.dropCount}`,
    `files ${item.blobCount}`,
    `tokens ${tokenCount}`,
    describeMembership(membership),
    ...(isSuspended ? ["suspended"] : []),
    ...(isBeingDeleted ? ["being deleted"] : []),
  ].join("  ");
}
