import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DeleteCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Key } from "./keys.ts";
import { dynamodb, type Item, RetryableError, retryConflicts, tableName } from "./table.ts";

/** Cancellation reasons of a transaction that say nothing about its conditions. */
const transientReasons = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);

/**
 * Repeats a request while another transaction writes the same items. In this case nothing was written, and the SDK does not retry the
 * request.
 *
 * Source: Amazon DynamoDB developer guide, "Transaction conflict handling in DynamoDB".
 */
function retryTransactionConflicts<Result>(request: () => Promise<Result>): Promise<Result> {
  return retryConflicts(() =>
    request().catch((cause: Error) => {
      throw isTransactionConflict(cause) ? new RetryableError("", { cause }) : cause;
    }),
  );
}

function isTransactionConflict(error: Error): boolean {
  if (error instanceof TransactionConflictException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  return (error.CancellationReasons ?? []).some(({ Code = "" }) => transientReasons.has(Code));
}

interface ConditionalUpdate {
  readonly key: Key;
  readonly update: string;
  readonly condition: string;
  /** @default - the expressions need no values */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  readonly names?: Record<string, string>;
}

/** The item after the update, or the item that failed the condition. Undefined if no such item exists. */
type UpdateOutcome =
  | { readonly updated: true; readonly item: Item }
  | { readonly updated: false; readonly item: Item | undefined };

/**
 * Updates one item if its condition holds. Otherwise, returns the current item in the same round trip. Retries a conflict with a
 * transaction.
 */
export async function updateItem(change: ConditionalUpdate): Promise<UpdateOutcome> {
  const command = new UpdateCommand({
    TableName: tableName(),
    Key: change.key,
    UpdateExpression: change.update,
    ConditionExpression: change.condition,
    ExpressionAttributeValues: change.values,
    ExpressionAttributeNames: change.names,
    ReturnValues: "ALL_NEW",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  return retryTransactionConflicts(async () => {
    try {
      return { updated: true, item: (await dynamodb.send(command)).Attributes ?? {} };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return { updated: false, item: itemOf(error) };
    }
  });
}

/** Condition that is always true, for updates of an item that may not exist. */
export const always = "attribute_exists(pk) OR attribute_not_exists(pk)";

/** Deletes one item if a condition holds. Returns true if the item was deleted. */
export async function deleteItemIf(
  key: Key,
  { condition, values }: Pick<ConditionalUpdate, "condition" | "values">,
): Promise<boolean> {
  const command = new DeleteCommand({
    TableName: tableName(),
    Key: key,
    ConditionExpression: condition,
    ExpressionAttributeValues: values,
  });
  return retryTransactionConflicts(() =>
    dynamodb.send(command).then(
      () => true,
      (error: Error) => {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      },
    ),
  );
}

/** Returns the condition that an attribute equals `:seen` or, if `seen` is undefined, that it is missing. */
export function isUnchanged(attribute: string, seen: unknown): string {
  return seen === undefined ? `attribute_not_exists(${attribute})` : `${attribute} = :seen`;
}

/** One write of a transaction, or a condition for the other writes. */
export type TransactionWrite = {
  readonly names?: Record<string, string>;
  readonly values?: Readonly<Record<string, unknown>>;
} & (
  | { readonly check: Key; readonly condition: string }
  | { readonly put: Item; readonly condition?: string }
  | { readonly remove: Key; readonly condition?: string }
  | { readonly update: string; readonly key: Key; readonly condition?: string }
);

/** Creates the write that removes an item if its revision has not changed since the item was read. */
export function removeUnchanged(key: Key, seenRevision: unknown): TransactionWrite {
  return { remove: key, condition: "revision = :seen", values: { ":seen": seenRevision } };
}

/** The writes of a transaction by name. A name without a write is ignored. */
export type NamedWrites = Readonly<
  Record<string, TransactionWrite | readonly TransactionWrite[] | undefined>
>;

/** Writes by name, or a list of writes if the caller does not need to know which condition failed. */
export type TransactionWrites = NamedWrites | readonly TransactionWrite[];

/** Outcome of a transaction: committed, or the items that failed their conditions, by the names of the writes. */
export type TransactionOutcome<Writes extends TransactionWrites> =
  | { readonly committed: true }
  | {
      readonly committed: false;
      readonly failed: ReadonlyMap<
        Writes extends readonly unknown[] ? never : Extract<keyof Writes, string>,
        Item | undefined
      >;
    };

/**
 * Commits all writes or none. A conflict with another transaction is retried, because it says nothing about the
 * conditions. DynamoDB's other errors are rethrown.
 *
 * Source: Amazon DynamoDB, "Managing complex workflows with transactions".
 */
export async function transact<Writes extends TransactionWrites>(
  writes: Writes,
): Promise<TransactionOutcome<Writes>> {
  const named = Object.entries(writes).flatMap(([name, some = []]) =>
    [some].flat().map((write: TransactionWrite) => ({ name, item: toTransactItem(write) })),
  );
  return retryTransactionConflicts(async () => {
    try {
      await dynamodb.send(new TransactWriteCommand({ TransactItems: named.map(({ item }) => item) }));
      return { committed: true };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failed = named.flatMap(({ name }, index) => {
        const { Code, ...reason } = reasons[index] ?? {};
        return Code === "ConditionalCheckFailed" ? [[name, itemOf(reason)] as const] : [];
      });
      if (failed.length === 0) throw error;
      return { committed: false, failed: new Map(failed) } as unknown as TransactionOutcome<Writes>;
    }
  });
}

/**
 * Reads items in one strongly consistent transaction. No other transaction is committed between two of the reads.
 *
 * Source: Amazon DynamoDB developer guide, "TransactGetItems API".
 */
export async function getAtOnce(allKeys: readonly Key[]): Promise<(Item | undefined)[]> {
  const TransactItems = allKeys.map((key) => ({ Get: { TableName: tableName(), Key: { ...key } } }));
  const { Responses = [] } = await retryTransactionConflicts(() =>
    dynamodb.send(new TransactGetCommand({ TransactItems })),
  );
  return Responses.map(({ Item: item }) => item);
}

function toTransactItem(write: TransactionWrite) {
  const common = {
    TableName: tableName(),
    ConditionExpression: write.condition,
    ExpressionAttributeNames: write.names,
    ExpressionAttributeValues: write.values,
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
  if ("check" in write)
    return { ConditionCheck: { ...common, Key: write.check, ConditionExpression: write.condition } };
  if ("put" in write) return { Put: { ...common, Item: write.put } };
  if ("remove" in write) return { Delete: { ...common, Key: write.remove } };
  return { Update: { ...common, Key: write.key, UpdateExpression: write.update } };
}

/**
 * Returns the item of a failed condition, converted from DynamoDB's format. The document client converts items in responses, but not in
 * errors.
 */
function itemOf({ Item: item }: Pick<ConditionalCheckFailedException, "Item">): Item | undefined {
  return item && unmarshall(item);
}

/** Maximum number of items in one BatchWriteItem; see "BatchWriteItem", Amazon DynamoDB API reference. */
const batchItemsMax = 25;

/** Deletes many items. Missing items are not an error. @throws ApiError `unavailable` if some items are left after several attempts */
export async function deleteItems(allKeys: readonly Key[]): Promise<void> {
  await writeItems({ deletes: allKeys });
}

/**
 * Puts and deletes many items in order, in batches. Overwrites existing items.
 *
 * @throws ApiError `unavailable` if some items are left after several attempts
 */
export async function writeItems({
  puts = [],
  deletes = [],
}: {
  readonly puts?: readonly Item[];
  readonly deletes?: readonly Key[];
}): Promise<void> {
  const writes: WriteRequest[] = [
    ...puts.map((item) => ({ PutRequest: { Item: item } })),
    ...deletes.map((key) => ({ DeleteRequest: { Key: key } })),
  ];
  for (let start = 0; start < writes.length; start += batchItemsMax) {
    await writeBatch(writes.slice(start, start + batchItemsMax));
  }
}

type WriteRequest = NonNullable<BatchWriteCommandInput["RequestItems"]>[string][number];

async function writeBatch(batch: readonly WriteRequest[]): Promise<void> {
  let pending = [...batch];
  await retryConflicts(async () => {
    const response = await dynamodb.send(new BatchWriteCommand({ RequestItems: { [tableName()]: pending } }));
    pending = response.UnprocessedItems?.[tableName()] ?? [];
    // The table had no capacity for the remaining items.
    if (pending.length > 0)
      throw new RetryableError(`${pending.length} of ${batch.length} items were not written. Try again.`);
  });
}
