import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { withoutConflict } from "./conflict.ts";
import type { Key } from "./keys.ts";
import { dynamodb, fromAttributes, type Item, tableName, toAttributes } from "./table.ts";

/** One write of a transaction, or something that must hold for the others. */
export type TransactionWrite =
  | { readonly check: Key; readonly condition: string }
  | {
      readonly put: Item;
      readonly condition?: string;
      readonly values?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly remove: Key;
      readonly condition?: string;
      readonly values?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly update: string;
      readonly key: Key;
      readonly condition?: string;
      readonly names?: Record<string, string>;
      readonly values?: Readonly<Record<string, unknown>>;
    };

/** Whether a transaction committed; if not, the item behind each failed condition, by the write's index. */
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
  return withoutConflict(() => attempt(writes));
}

async function attempt(writes: TransactionWrite[]): Promise<TransactionOutcome> {
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
      },
    };
  if ("put" in write)
    return {
      Put: {
        ...common,
        Item: toAttributes(write.put),
        ExpressionAttributeValues: write.values && toAttributes(write.values),
      },
    };
  if ("remove" in write)
    return {
      Delete: {
        ...common,
        Key: toAttributes({ ...write.remove }),
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
