import { patterns } from "../../../functions/http/schemas.ts";
import { keys } from "../../../functions/table/keys.ts";
import { suspendedAttribute } from "../../../functions/table/suspension.ts";
import { expiryOf, tokens } from "../../../functions/table/tokens.ts";
import { formatUtc, quote, UsageError } from "../command.ts";
import {
  type AccountMembership,
  describeMembership,
  readMemberDirectory,
} from "../members/member-directory.ts";
import { defineServiceCommand } from "../service.ts";
import { findItems, findUser, nameOfUser, type StoredItem, userIdOf } from "../table-reads.ts";

/** `accounts` */
export const accountsCommand = defineServiceCommand({
  name: "accounts",
  words: "[<text>]",
  summary: "lists accounts",
  details: `
Prints for each account its namespace, user id and user name, the time when it was created, its drops, files and tokens, and whether
its person is a member, suspended or being deleted. With <text>, lists the accounts that have it as user id, or in the namespace, the
user name or a verified email address. Ignores case. Reads the whole table.

See also: tokens, suspend, members remove, export, delete-account.`,
  options: {},
  async run({ words: [text], printAll }) {
    const { accounts } = await readMemberDirectory();
    const found = accounts
      .filter((account) => text === undefined || holds(account, text))
      .toSorted((one, other) => (one.user.namespace < other.user.namespace ? -1 : 1));
    const all = text === undefined ? "" : ` of ${accounts.length}`;
    printAll(found.map(describeAccount), `Accounts: ${found.length}${all}.`);
  },
});

function holds({ user, identity }: AccountMembership, text: string): boolean {
  const names = [user.namespace, identity.username, ...identity.emails];
  return user.userId === text || names.some((name) => name.toLowerCase().includes(text.toLowerCase()));
}

function describeAccount({ user, identity, membership, tokenCount }: AccountMembership): string {
  const { item, isSuspended, isBeingDeleted } = user;
  return [
    nameOfUser(user),
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

/** `suspensions` */
export const suspensionsCommand = defineServiceCommand({
  name: "suspensions",
  summary: "lists suspended accounts and banned people",
  details: `
Prints the time and the namespace of each, the user id of a suspended account, and the identity at the provider of a banned person. A
banned person whose account was deleted has the namespace of that account. Reads the whole table.`,
  options: {},
  async run({ printAll }) {
    const found = await findItems(
      `(sk = :account AND attribute_exists(${suspendedAttribute})) OR (sk = :identity AND attribute_exists(bannedAtMs))`,
      { ":account": keys.account("").sk, ":identity": keys.identity("", "").sk },
    );
    const banned = found.filter(isBan).length;
    printAll(found.map(describeSuspension), `Suspended: ${found.length - banned}. Banned: ${banned}.`);
  },
});

function isBan({ sk }: StoredItem): boolean {
  return sk === keys.identity("", "").sk;
}

function describeSuspension(item: StoredItem): string {
  if (!isBan(item))
    return `suspended ${formatUtc(item[suspendedAttribute] as number)}  ${item.namespace} (${userIdOf(item)})`;
  const who = item.pk.slice("IDP#".length);
  return `banned    ${formatUtc(item.bannedAtMs as number)}  ${item.namespace}: ${quote(who)}`;
}

/** `tokens <account>` */
export const tokensCommand = defineServiceCommand({
  name: "tokens",
  words: "<account>",
  summary: "lists or revokes the API tokens of an account",
  details: `
<account> is a user id or a namespace. Prints for each token its id, when it was created and last used, when it expires (the setting
tokenDaysMax), and the label that its agent gave. A revoked token is refused from the next request on. The person can sign in for
another: to prevent that, suspend the account.`,
  options: {
    revoke: { type: "string", value: "<token id>", help: "revokes one token" },
    "revoke-all": { type: "boolean", help: "revokes all tokens, and those that are created meanwhile" },
  },
  async run({ word, options: { revoke: id, "revoke-all": isAll }, act, print, printAll }) {
    if (id !== undefined && isAll) throw new UsageError("Use --revoke <token id> or --revoke-all, not both.");
    const { userId, namespace } = await findUser(word);
    if (isAll) {
      print(`Tokens of ${namespace} revoked: ${await tokens.revokeAll(userId, await act("revoke-token"))}.`);
      return true;
    }
    if (id === undefined) {
      const found = await tokens.list(userId);
      printAll(found.map(describeToken), `Tokens of ${namespace}: ${found.length}.`);
      return true;
    }
    const isRevoked =
      patterns.tokenId.test(id) && (await tokens.revoke(userId, id, await act("revoke-token")));
    print(
      isRevoked
        ? `The token ${id} of ${namespace} is revoked.`
        : `${namespace} has no token with the id ${quote(id)}. It may be revoked already.`,
    );
    return isRevoked;
  },
});

function describeToken(token: Awaited<ReturnType<typeof tokens.list>>[number]): string {
  const { id, label, createdAtMs, lastUsedAtMs } = token;
  const end = expiryOf(token);
  return [
    id,
    `created ${formatUtc(createdAtMs)}`,
    `last used ${formatUtc(lastUsedAtMs)}`,
    ...(end === undefined ? [] : [`expires ${formatUtc(end)}`]),
    label === null ? "no label" : quote(label),
  ].join("  ");
}
