import { toAccountRow } from "../../../functions/administration/accounts.ts";
import { isNamed } from "../../../functions/administration/directory.ts";
import { patterns } from "../../../functions/http/schemas.ts";
import { keys } from "../../../functions/table/keys.ts";
import { suspendedAttribute } from "../../../functions/table/suspension.ts";
import { expiryOf, tokens } from "../../../functions/table/tokens.ts";
import { formatUtc, quote, sortBy, UsageError } from "../command.ts";
import {
  type AccountMembership,
  describeMembership,
  readMemberDirectory,
} from "../members/member-directory.ts";
import { defineServiceCommand } from "../service.ts";
import { findItems, findUser, nameOfUser } from "../table-reads.ts";

export const accountsCommand = defineServiceCommand({
  usage: "accounts [<text>]",
  summary: "lists accounts",
  details: `
Prints each account with its contents, and whether its person is a member, suspended or being deleted. With <text>, prints only accounts
with this user id, or with <text> in the namespace, the user name or a verified email address, in any case. Reads the whole table.

See also: tokens, suspend, members remove, export, delete-account.`,
  async run({ words: [text], printAll }) {
    const { accounts } = await readMemberDirectory();
    const named = accounts.filter(({ user }) => isNamed(user, text ?? ""));
    const found = sortBy(named, ({ user }) => user.namespace);
    const all = text === undefined ? "" : ` of ${accounts.length}`;
    printAll(found.map(toRow), `Accounts: ${found.length}${all}.`);
  },
});

function toRow({ user, identity, membership, tokenCount }: AccountMembership): string[] {
  const { item, isSuspended, isBeingDeleted } = user;
  return [
    nameOfUser(user),
    `user name ${quote(identity.username)}`,
    `created ${formatUtc(item.createdAtMs as number)}`,
    `drops ${item.dropCount}`,
    `files ${item.blobCount}`,
    `tokens ${tokenCount}`,
    [describeMembership(membership), isSuspended && "suspended", isBeingDeleted && "being deleted"]
      .filter(Boolean)
      .join("  "),
  ];
}

export const suspensionsCommand = defineServiceCommand({
  usage: "suspensions",
  summary: "lists suspended accounts and banned people",
  details: `
For each banned person, prints the identity at the provider, and the namespace of the account, even if the account was deleted. Reads the
whole table.`,
  async run({ printAll }) {
    const found = await findItems(
      `(sk = :account AND attribute_exists(${suspendedAttribute})) OR (sk = :identity AND attribute_exists(bannedAtMs))`,
      { ":account": keys.account("").sk, ":identity": keys.identity("", "").sk },
    );
    const rows = found.map((item) => {
      if (item.bannedAtMs === undefined)
        return ["suspended", formatUtc(item[suspendedAttribute] as number), nameOfUser(toAccountRow(item))];
      const whose = `${item.namespace}: ${quote(item.pk.slice("IDP#".length))}`;
      return ["banned", formatUtc(item.bannedAtMs as number), whose];
    });
    const banned = rows.filter(([state]) => state === "banned").length;
    printAll(rows, `Suspended: ${rows.length - banned}. Banned: ${banned}.`);
  },
});

export const tokensCommand = defineServiceCommand({
  usage: "tokens <account>",
  summary: "lists or revokes the API tokens of an account",
  details: `
Prints each token with its id and the label that its agent gave. The setting tokenDaysMax makes tokens expire. A revoked token is refused
from the next request on. The person can get another by signing in. To prevent that, suspend the account.`,
  options: {
    "revoke <token id>": "revokes one token",
    "revoke-all": "revokes all tokens, including any created in the meantime",
  },
  async run({ word, options: { revoke: id, "revoke-all": isAll }, action, print, printAll }) {
    if (id !== undefined && isAll) throw new UsageError("Use --revoke <token id> or --revoke-all, not both.");
    const { userId, namespace } = await findUser(word);
    if (isAll) {
      const count = await tokens.revokeAll(userId, await action("revoke-token"));
      return print(`Tokens of ${namespace} revoked: ${count}.`);
    }
    if (id === undefined) {
      const found = await tokens.list(userId);
      return printAll(found.map(toTokenRow), `Tokens of ${namespace}: ${found.length}.`);
    }
    const isRevoked =
      patterns.tokenId.test(id) && (await tokens.revoke(userId, id, await action("revoke-token")));
    if (isRevoked) print(`The token ${id} of ${namespace} is revoked.`);
    else print(`${namespace} has no token with the id ${quote(id)}. It may be revoked already.`);
    return isRevoked;
  },
});

function toTokenRow(token: Awaited<ReturnType<typeof tokens.list>>[number]): string[] {
  const { id, createdAtMs, lastUsedAtMs, label } = token;
  const end = expiryOf(token);
  const times = [`created ${formatUtc(createdAtMs)}`, `last used ${formatUtc(lastUsedAtMs)}`];
  if (end !== undefined) times.push(`expires ${formatUtc(end)}`);
  return [id, ...times, label === null ? "no label" : quote(label)];
}
