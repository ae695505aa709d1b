import { keys } from "../../../functions/table/keys.ts";
import { suspendedAttribute } from "../../../functions/table/suspension.ts";
import { defineCommand } from "../command.ts";
import { openService, serviceOptions } from "../service.ts";
import { findItems, type StoredItem } from "../table-reads.ts";
import { formatUtc, quote } from "../terminal.ts";
import { userIdOf } from "../users.ts";

/** `suspensions` */
export const suspensionsCommand = defineCommand({
  name: "suspensions",
  summary: "lists suspended accounts and banned people",
  details: `
Prints the time and the namespace of each, the user id of a suspended account, and the identity at the provider of a banned person. A
banned person whose account was deleted has the namespace of that account. Reads the whole table.`,
  options: serviceOptions,
  async run(input, terminal) {
    await openService(input.options);
    const found = await findItems(
      `(sk = :account AND attribute_exists(${suspendedAttribute})) OR (sk = :identity AND attribute_exists(bannedAtMs))`,
      { ":account": keys.account("").sk, ":identity": identity.sk },
    );
    for (const item of found) terminal.print(describe(item));
    const banned = found.filter(isBan).length;
    terminal.print(`Suspended: ${found.length - banned}. Banned: ${banned}.`);
    return true;
  },
});

const identity = keys.identity("", "");

function isBan({ sk }: StoredItem): boolean {
  return sk === identity.sk;
}

function describe(item: StoredItem): string {
  if (!isBan(item))
    return `suspended ${formatUtc(item[suspendedAttribute] as number)}  ${item.namespace} (${userIdOf(item)})`;
  const who = item.pk.slice("IDP#".length);
  return `banned    ${formatUtc(item.bannedAtMs as number)}  ${item.namespace}: ${quote(who)}`;
}
