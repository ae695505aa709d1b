import { paginateQuery, paginateScan } from "@aws-sdk/lib-dynamodb";
import type { Key } from "../../functions/table/keys.ts";
import { dynamodb, type Item } from "../../functions/table/table.ts";

/** Every item of a partition of any table. */
export async function readPartition(table: string, pk: string): Promise<Item[]> {
  const items: Item[] = [];
  const pages = paginateQuery(
    { client: dynamodb },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": pk },
      ConsistentRead: true,
    },
  );
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}

/** Every item of any table, some at a time. */
export async function* readTable(table: string, options?: ScanOptions): AsyncGenerator<Item[]> {
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
): AsyncGenerator<{ readonly items: Item[]; readonly next: Key | undefined }> {
  const scan = { TableName, ConsistentRead: isConsistent };
  for await (const page of paginateScan({ client: dynamodb, startingToken: from }, scan))
    yield { items: page.Items ?? [], next: page.LastEvaluatedKey as Key | undefined };
}
