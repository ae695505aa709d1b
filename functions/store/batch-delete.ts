import { setTimeout as sleep } from "node:timers/promises";
import { BatchWriteItemCommand, type WriteRequest } from "@aws-sdk/client-dynamodb";
import type { Key } from "./keys.ts";
import { dynamodb, tableName, toAttributes } from "./table.ts";

/** The most items that one BatchWriteItem takes; Amazon DynamoDB API reference, "BatchWriteItem". */
const batchItemsMax = 25;

/** How often a batch is sent again for items that the table had no capacity for, and the longest pause before it. */
const attemptsMax = 10;
const waitMsMax = 2_000;

/**
 * Deletes many items; those that are not there are deleted already.
 *
 * @throws Error when some of them are left after several attempts.
 */
export async function deleteItems(allKeys: readonly Key[]): Promise<void> {
  for (let start = 0; start < allKeys.length; start += batchItemsMax) {
    await deleteBatch(allKeys.slice(start, start + batchItemsMax));
  }
}

async function deleteBatch(batch: readonly Key[]): Promise<void> {
  let pending: WriteRequest[] = batch.map((key) => ({ DeleteRequest: { Key: toAttributes({ ...key }) } }));
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    if (attempt > 0) await sleep(Math.random() * Math.min(waitMsMax, 50 * 2 ** attempt));
    const answer = await dynamodb.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName()]: pending } }),
    );
    pending = answer.UnprocessedItems?.[tableName()] ?? [];
    if (pending.length === 0) return;
  }
  throw new Error(
    `${pending.length} of ${batch.length} items are not deleted after ${attemptsMax} attempts.`,
  );
}
