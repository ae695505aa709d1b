import {
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import pRetry from "p-retry";
import type { Key } from "./keys.ts";
import { backOff } from "./retry-policy.ts";
import { dynamodb, fromAttributes, type Item, tableName, toAttributes } from "./table.ts";

/** Reasons of a cancelled transaction that say nothing about its conditions. */
const transientReasons = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);

/**
 * Writes, and tries again for two to five seconds while another transaction is at work on the same items: nothing was
 * written then, and the SDK does not try again by itself.
 *
 * Source: Amazon DynamoDB developer guide, "Transaction conflict handling in DynamoDB".
 */
async function withoutConflict<Result>(write: () => Promise<Result>): Promise<Result> {
  return pRetry(write, {
    retries: 12,
    minTimeout: 10,
    maxTimeout: 300,
    randomize: true,
    shouldRetry: ({ error }) => isConflict(error),
  });
}

function isConflict(error: Error): boolean {
  if (error instanceof TransactionConflictException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  return (error.CancellationReasons ?? []).some(({ Code = "" }) => transientReasons.has(Code));
}

/** A conditional update of one item. */
interface ConditionalUpdate {
  readonly key: Key;
  readonly update: string;
  readonly condition: string;
  /** @default - the expressions have none */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  readonly names?: Record<string, string>;
}

/** The item after the update, or the item that failed its condition: undefined where there is none. */
type UpdateOutcome =
  | { readonly updated: true; readonly item: Item }
  | { readonly updated: false; readonly item: Item | undefined };

/** Updates one item if its condition holds, in one round trip either way; a conflict with a transaction is tried again. */
export async function updateItem(change: ConditionalUpdate): Promise<UpdateOutcome> {
  return withoutConflict(() => tryUpdate(change));
}

async function tryUpdate(change: ConditionalUpdate): Promise<UpdateOutcome> {
  try {
    const response = await dynamodb.send(
      new UpdateItemCommand({
        TableName: tableName(),
        Key: toAttributes({ ...change.key }),
        UpdateExpression: change.update,
        ConditionExpression: change.condition,
        ExpressionAttributeValues: change.values && toAttributes(change.values),
        ExpressionAttributeNames: change.names,
        ReturnValues: "ALL_NEW",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    return { updated: true, item: fromAttributes(response.Attributes ?? {}) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { updated: false, item: error.Item && fromAttributes(error.Item) };
  }
}

/** The condition that an attribute is what `:seen` says, or is not there where nothing was seen. */
export function isUnchanged(attribute: string, seen: unknown): string {
  return seen === undefined ? `attribute_not_exists(${attribute})` : `${attribute} = :seen`;
}

/** One write of a transaction, or something that must hold for the others. */
export type TransactionWrite =
  | {
      readonly check: Key;
      readonly condition: string;
      readonly values?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly put: Item;
      readonly condition?: string;
      readonly names?: Record<string, string>;
      readonly values?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly remove: Key;
      readonly condition?: string;
      readonly names?: Record<string, string>;
      readonly values?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly update: string;
      readonly key: Key;
      readonly condition?: string;
      readonly names?: Record<string, string>;
      readonly values?: Readonly<Record<string, unknown>>;
    };

/** Outcome of a transaction: committed, or the items behind the failed conditions, by the write's index. */
export type TransactionOutcome =
  | { readonly committed: true }
  | { readonly committed: false; readonly failed: ReadonlyMap<number, Item | undefined> };

/**
 * Commits all writes or none. A conflict with another transaction is tried again: it says nothing about the conditions.
 * Anything else that DynamoDB refuses is thrown as it came.
 *
 * Source: Amazon DynamoDB, "Managing complex workflows with transactions".
 */
export async function transact(writes: TransactionWrite[]): Promise<TransactionOutcome> {
  return withoutConflict(() => tryTransaction(writes));
}

async function tryTransaction(writes: TransactionWrite[]): Promise<TransactionOutcome> {
  try {
    await dynamodb.send(new TransactWriteItemsCommand({ TransactItems: writes.map(toTransactItem) }));
    return { committed: true };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const failed = failedConditions(error);
    if (failed.size === 0) throw error;
    return { committed: false, failed };
  }
}

function toTransactItem(write: TransactionWrite): TransactWriteItem {
  const common = {
    TableName: tableName(),
    ConditionExpression: write.condition,
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
  if ("check" in write)
    return {
      ConditionCheck: {
        ...common,
        Key: toAttributes({ ...write.check }),
        ConditionExpression: write.condition,
        ExpressionAttributeValues: write.values && toAttributes(write.values),
      },
    };
  if ("put" in write)
    return {
      Put: {
        ...common,
        Item: toAttributes(write.put),
        ExpressionAttributeNames: write.names,
        ExpressionAttributeValues: write.values && toAttributes(write.values),
      },
    };
  if ("remove" in write)
    return {
      Delete: {
        ...common,
        Key: toAttributes({ ...write.remove }),
        ExpressionAttributeNames: write.names,
        ExpressionAttributeValues: write.values && toAttributes(write.values),
      },
    };
  return {
    Update: {
      ...common,
      Key: toAttributes({ ...write.key }),
      UpdateExpression: write.update,
      ExpressionAttributeNames: write.names,
      ExpressionAttributeValues: write.values && toAttributes(write.values),
    },
  };
}

function failedConditions(error: TransactionCanceledException): Map<number, Item | undefined> {
  const reasons = error.CancellationReasons ?? [];
  return new Map(
    reasons.flatMap(({ Code, Item: item }, index) =>
      Code === "ConditionalCheckFailed" ? [[index, item && fromAttributes(item)] as const] : [],
    ),
  );
}

/** The most items that one BatchWriteItem takes; Amazon DynamoDB API reference, "BatchWriteItem". */
const batchItemsMax = 25;

/** The attempts of a batch write whose items the table had no capacity for, and the pauses between. */
const attemptsMax = 10;
const pauses = { unitMs: 50, mostMs: 2_000 };

/**
 * Deletes many items; those that are not there are deleted already.
 *
 * @throws Error when some of them are left after several attempts.
 */
export async function deleteItems(allKeys: readonly Key[]): Promise<void> {
  await writeItems({ puts: [], deletes: allKeys });
}

/**
 * Puts and deletes many items, each once, whatever is there: not all at once.
 *
 * @throws Error when some of them are left after several attempts.
 */
export async function writeItems({
  puts,
  deletes,
}: {
  readonly puts: readonly Item[];
  readonly deletes: readonly Key[];
}): Promise<void> {
  const writes: WriteRequest[] = [
    ...puts.map((item) => ({ PutRequest: { Item: toAttributes(item) } })),
    ...deletes.map((key) => ({ DeleteRequest: { Key: toAttributes({ ...key }) } })),
  ];
  for (let start = 0; start < writes.length; start += batchItemsMax) {
    await writeBatch(writes.slice(start, start + batchItemsMax));
  }
}

async function writeBatch(batch: readonly WriteRequest[]): Promise<void> {
  let pending = [...batch];
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    await backOff(attempt, pauses);
    const response = await dynamodb.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName()]: pending } }),
    );
    pending = response.UnprocessedItems?.[tableName()] ?? [];
    if (pending.length === 0) return;
  }
  throw new Error(
    `${pending.length} of ${batch.length} items are not written after ${attemptsMax} attempts.`,
  );
}
