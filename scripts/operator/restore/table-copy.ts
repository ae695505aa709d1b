import { paginateQuery, paginateScan } from "@aws-sdk/lib-dynamodb";
import { dynamodb, type Item } from "../../../functions/table/table.ts";

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
export async function* readTable(table: string): AsyncGenerator<Item[]> {
  for await (const page of paginateScan({ client: dynamodb }, { TableName: table })) yield page.Items ?? [];
}
