import { setTimeout as sleep } from "node:timers/promises";
import {
  type AttributeValue,
  BatchWriteItemCommand,
  paginateQuery,
  paginateScan,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { dynamodb, tableName, toAttributes } from "../../../functions/table/table.ts";

/** An item as DynamoDB gives and takes it: nothing is lost on the way. */
export type RawItem = Record<string, AttributeValue>;

/** The most items that one BatchWriteItem takes; Amazon DynamoDB API reference, "BatchWriteItem". */
const batchItemsMax = 25;
const attemptsMax = 10;
const waitMsMax = 2_000;

/** Every item of a partition of any table. */
export async function readPartition(table: string, pk: string): Promise<RawItem[]> {
  const items: RawItem[] = [];
  const pages = paginateQuery(
    { client: dynamodb },
    {
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: toAttributes({ ":pk": pk }),
      ConsistentRead: true,
    },
  );
  for await (const page of pages) items.push(...(page.Items ?? []));
  return items;
}

/** Every item of any table, some at a time. */
export async function* readTable(table: string): AsyncGenerator<RawItem[]> {
  for await (const page of paginateScan({ client: dynamodb }, { TableName: table })) yield page.Items ?? [];
}

/** Puts items into the service's table, in their order, over those that have their keys. */
export async function putItems(items: readonly RawItem[]): Promise<void> {
  for (let start = 0; start < items.length; start += batchItemsMax) {
    await putBatch(items.slice(start, start + batchItemsMax));
  }
}

async function putBatch(batch: readonly RawItem[]): Promise<void> {
  let pending: WriteRequest[] = batch.map((Item) => ({ PutRequest: { Item } }));
  for (let attempt = 0; attempt < attemptsMax && pending.length > 0; attempt += 1) {
    if (attempt > 0) await sleep(Math.random() * Math.min(waitMsMax, 50 * 2 ** attempt));
    const response = await dynamodb.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName()]: pending } }),
    );
    pending = response.UnprocessedItems?.[tableName()] ?? [];
  }
  if (pending.length > 0) throw new Error(`${pending.length} items were not taken: run the command again.`);
}
