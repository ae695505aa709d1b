import { paginateQuery, paginateScan } from "@aws-sdk/lib-dynamodb";
import { type AccountRow, findAccountRow } from "../../functions/administration/accounts.ts";
import { type Key, keys } from "../../functions/table/keys.ts";
import { dynamodb, getItem, type Item, tableName } from "../../functions/table/table.ts";

/** An item with its key. */
export type StoredItem = Item & Key;

/** Every item of a partition of any table. */
export async function readPartition(table: string, pk: string): Promise<StoredItem[]> {
  const query = {
    TableName: table,
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": pk },
    ConsistentRead: true,
  };
  return collect(paginateQuery({ client: dynamodb }, query));
}

interface ReadOptions {
  /** Reads everything that was written before the start, for twice the price. @default false */
  readonly isConsistent?: boolean;
}

/** Every item of the service's table, or of another one, in batches. */
export async function* readTable(
  table = tableName(),
  { isConsistent }: ReadOptions = {},
): AsyncGenerator<StoredItem[]> {
  const scan = { TableName: table, ConsistentRead: isConsistent };
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, scan)) yield Items as StoredItem[];
}

/** Every item of an account, or of the whole table after a key, in batches with the key from which the next one goes on. */
export async function* readParts(
  userId: string | undefined,
  from?: Key,
): AsyncGenerator<{ readonly items: StoredItem[]; readonly next?: Key | undefined }> {
  if (userId !== undefined) return yield { items: await readPartition(tableName(), keys.account(userId).pk) };
  const pages = paginateScan({ client: dynamodb, startingToken: from }, { TableName: tableName() });
  for await (const { Items = [], LastEvaluatedKey: next } of pages)
    yield { items: Items as StoredItem[], next: next as Key | undefined };
}

/** The items of the service's table that match a filter expression with its values. Reads the whole table. */
export async function findItems(
  FilterExpression: string,
  ExpressionAttributeValues: Item,
  { isConsistent }: ReadOptions = {},
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

/** Every account's item. Reads the whole table. */
export function findAccounts(filter = "", options?: ReadOptions): Promise<StoredItem[]> {
  return findItems(`sk = :account${filter}`, { ":account": keys.account("").sk }, options);
}

/** The account of a user id or a namespace. Throws if it does not exist or was deleted. */
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

/** The id of the account that a command names; undefined if it names none and works on all. */
export async function findUserId(name: string | undefined): Promise<string | undefined> {
  return name === undefined ? undefined : (await findUser(name)).userId;
}

/** An account and its namespace, as messages show it. */
export function nameOfUser({ namespace, userId }: Pick<AccountRow, "namespace" | "userId">): string {
  return `${namespace} (${userId})`;
}
