import { paginateQuery, paginateScan } from "@aws-sdk/lib-dynamodb";
import type { Blob } from "../../functions/blobs/blob.ts";
import { toBlob } from "../../functions/blobs/store.ts";
import { type Key, keys, ranges } from "../../functions/table/keys.ts";
import { dynamodb, type Item, queryAll, tableName } from "../../functions/table/table.ts";

/** An item with its key. */
export type StoredItem = Item & Key;

/** Every item of a partition of any table. */
export async function readPartition(table: string, pk: string): Promise<StoredItem[]> {
  const pages = paginateQuery(
    { client: dynamodb },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": pk },
      ConsistentRead: true,
    },
  );
  return collect(pages);
}

/** Every item of the service's table, or of another one, some at a time. */
export async function* readTable(table = tableName(), options?: ScanOptions): AsyncGenerator<StoredItem[]> {
  for await (const { items } of readTableParts(table, options)) yield items;
}

interface ScanOptions {
  /** Key after which the scan begins. @default - it begins at the start */
  readonly from?: Key | undefined;
  /** Reads everything that was written before the start, for twice the price. @default false */
  readonly isConsistent?: boolean;
}

/** Every item of any table, some at a time, each part with the key from which the next one goes on; undefined for the last. */
export async function* readTableParts(
  TableName: string,
  { from, isConsistent }: ScanOptions = {},
): AsyncGenerator<{ readonly items: StoredItem[]; readonly next: Key | undefined }> {
  const scan = { TableName, ConsistentRead: isConsistent };
  for await (const page of paginateScan({ client: dynamodb, startingToken: from }, scan))
    yield { items: itemsOf(page), next: page.LastEvaluatedKey as Key | undefined };
}

/** Every item of an account, or without one of the service's whole table, some at a time. */
export async function* readItemsOf(userId: string | undefined): AsyncGenerator<StoredItem[]> {
  if (userId === undefined) yield* readTable();
  else yield readPartition(tableName(), keys.account(userId).pk);
}

/** The items of the service's table that match a filter expression with its values. Reads the whole table. */
export async function findItems(
  filter: string,
  values: Item,
  { isConsistent }: Pick<ScanOptions, "isConsistent"> = {},
): Promise<StoredItem[]> {
  const pages = paginateScan(
    { client: dynamodb },
    {
      TableName: tableName(),
      ConsistentRead: isConsistent,
      FilterExpression: filter,
      ExpressionAttributeValues: values,
    },
  );
  return collect(pages);
}

/** Every file of an account, expired ones too. */
export async function listFiles(userId: string): Promise<Blob[]> {
  return (await queryAll(ranges.blobs(userId))).map(toBlob);
}

async function collect(pages: AsyncIterable<Page>): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for await (const page of pages) items.push(...itemsOf(page));
  return items;
}

interface Page {
  readonly Items?: Item[] | undefined;
}

function itemsOf({ Items = [] }: Page): StoredItem[] {
  return Items as StoredItem[];
}
