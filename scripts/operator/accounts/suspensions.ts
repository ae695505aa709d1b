import { paginateScan } from "@aws-sdk/lib-dynamodb";
import { keys } from "../../../functions/table/keys.ts";
import { suspendedAttribute } from "../../../functions/table/suspension.ts";
import { dynamodb, type Item, tableName } from "../../../functions/table/table.ts";
import { defineCommand } from "../command.ts";
import { openService, serviceOptions } from "../service.ts";
import { formatUtc, quote } from "../terminal.ts";

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
    const found = await findMarked();
    for (const item of found) terminal.print(describe(item));
    const banned = found.filter(isBan).length;
    terminal.print(`Suspended: ${found.length - banned}. Banned: ${banned}.`);
    return true;
  },
});

const account = keys.account("");
const identity = keys.identity("", "");

async function findMarked(): Promise<Item[]> {
  const pages = paginateScan(
    { client: dynamodb },
    {
      TableName: tableName(),
      FilterExpression: `(sk = :account AND attribute_exists(${suspendedAttribute})) OR (sk = :identity AND attribute_exists(bannedAtMs))`,
      ExpressionAttributeValues: { ":account": account.sk, ":identity": identity.sk },
    },
  );
  const found: Item[] = [];
  for await (const { Items: items = [] } of pages) found.push(...items);
  return found;
}

function isBan({ sk }: Item): boolean {
  return sk === identity.sk;
}

function describe(item: Item): string {
  if (!isBan(item)) {
    const userId = String(item.pk).slice(account.pk.length);
    return `suspended ${formatUtc(item[suspendedAttribute] as number)}  ${item.namespace} (${userId})`;
  }
  const who = String(item.pk).slice("IDP#".length);
  return `banned    ${formatUtc(item.bannedAtMs as number)}  ${item.namespace}: ${quote(who)}`;
}
