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

/** Every item of the service's table, or of another one, some at a time. */
export async function* readTable(
  table = tableName(),
  options?: { readonly isConsistent?: boolean },
): AsyncGenerator<StoredItem[]> {
  for await (const { items } of readParts(undefined, { ...options, table })) yield items;
}

/** Every item of an account, or of the whole table if no account is given, in batches. */
export async function* readItemsOf(userId: string | undefined): AsyncGenerator<StoredItem[]> {
  for await (const { items } of readParts(userId)) yield items;
}

interface ReadOptions {
  /** @default - the service's table */
  readonly table?: string;
  /** Key after which the scan begins. @default - it begins at the start */
  readonly from?: Key | undefined;
  /** Reads everything that was written before the start, for twice the price. @default false */
  readonly isConsistent?: boolean;
}

/** Does so with the key from which the next batch goes on; undefined for the last. */
export async function* readParts(
  userId: string | undefined,
  { table = tableName(), from, isConsistent }: ReadOptions = {},
): AsyncGenerator<{ readonly items: StoredItem[]; readonly next: Key | undefined }> {
  if (userId !== undefined)
    return yield { items: await readPartition(table, keys.account(userId).pk), next: undefined };
  const paging = { client: dynamodb, startingToken: from };
  const pages = paginateScan(paging, { TableName: table, ConsistentRead: isConsistent });
  for await (const { Items = [], LastEvaluatedKey: next } of pages)
    yield { items: Items as StoredItem[], next: next as Key | undefined };
}

/** The items of the service's table that match a filter expression with its values. Reads the whole table. */
export async function findItems(
  FilterExpression: string,
  ExpressionAttributeValues: Item,
  { isConsistent }: Pick<ReadOptions, "isConsistent"> = {},
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
export function findAccounts(
  filter = "",
  { isConsistent }: Pick<ReadOptions, "isConsistent"> = {},
): Promise<StoredItem[]> {
  return findItems(`sk = :account${filter}`, { ":account": keys.account("").sk }, { isConsistent });
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
