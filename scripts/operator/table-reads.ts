import { paginateQuery, paginateScan } from "@aws-sdk/lib-dynamodb";
import { type AccountRow, findAccountRow } from "../../functions/administration/accounts.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import { dynamodb, getItem, type Item, tableName } from "../../functions/table/table.ts";

/** A table item with its key. */
export type StoredItem = Item & Key;

/** Reads all items of a partition in the given table. */
export async function readPartition(table: string, pk: string): Promise<StoredItem[]> {
  const query = {
    TableName: table,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": pk },
    ConsistentRead: true,
  };
  return collect(paginateQuery({ client: dynamodb }, query));
}

/**
 * Reads all items of a table in batches. By default, reads the service's table.
 *
 * @param isConsistent true for strongly consistent reads, which cost twice as much
 */
export async function* readTable(table = tableName(), isConsistent = false): AsyncGenerator<StoredItem[]> {
  const scan = { TableName: table, ConsistentRead: isConsistent };
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, scan)) yield Items as StoredItem[];
}

/** Reads an account, or the whole table after a key, in batches. Each batch includes the key after which the next one starts. */
export async function* readParts(
  userId: string | undefined,
  from?: Key,
): AsyncGenerator<{ readonly items: StoredItem[]; readonly next?: Key | undefined }> {
  if (userId !== undefined) return yield { items: await readPartition(tableName(), keys.account(userId).pk) };
  const pages = paginateScan({ client: dynamodb, startingToken: from }, { TableName: tableName() });
  for await (const { Items = [], LastEvaluatedKey: next } of pages)
    yield { items: Items as StoredItem[], next: next as Key | undefined };
}

/** Finds the items of the service's table that match a filter expression. Reads the whole table. */
export function findItems(
  FilterExpression: string,
  ExpressionAttributeValues: Item,
  isConsistent = false,
): Promise<StoredItem[]> {
  const filter = { FilterExpression, ExpressionAttributeValues };
  const scan = { TableName: tableName(), ConsistentRead: isConsistent, ...filter };
  return collect(paginateScan({ client: dynamodb }, scan));
}

async function collect(pages: AsyncIterable<{ readonly Items?: Item[] | undefined }>): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for await (const { Items = [] } of pages) items.push(...(Items as StoredItem[]));
  return items;
}

/** Finds the items of all accounts. Reads the whole table. */
export function findAccounts(filter = "", isConsistent = false): Promise<StoredItem[]> {
  return findItems(`sk = :account${filter}`, { ":account": keys.account("").sk }, isConsistent);
}

/** Finds an account by its user id or namespace. Throws if the account does not exist or was deleted. */
export async function findUser(name: string): Promise<AccountRow> {
  const account = await findAccountRow(name);
  if (account !== undefined) return account;
  const { deletedAtMs } = (await getItem(keys.namespace(name.toLowerCase()))) ?? {};
  if (deletedAtMs !== undefined) {
    const deletedAt = new Date(deletedAtMs as number).toISOString();
    throw new Error(`The account of ${name} was deleted at ${deletedAt}. The namespace stays reserved.`);
  }
  throw new Error(`There is no account with the user id or the namespace ${JSON.stringify(name)}.`);
}

/** Finds the user id for a command's optional account. Returns undefined if the command is for all accounts. */
export async function findUserId(name: string | undefined): Promise<string | undefined> {
  return name === undefined ? undefined : (await findUser(name)).userId;
}

/** Formats an account for messages, by its namespace and user id. */
export function nameOfUser({ namespace, userId }: Pick<AccountRow, "namespace" | "userId">): string {
  return `${namespace} (${userId})`;
}
