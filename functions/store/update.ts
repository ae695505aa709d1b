import { ConditionalCheckFailedException, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { withoutConflict } from "./conflict.ts";
import type { Key } from "./keys.ts";
import { dynamodb, fromAttributes, type Item, tableName, toAttributes } from "./table.ts";

/** A conditional update of one item. */
export interface ConditionalUpdate {
  readonly key: Key;
  readonly update: string;
  readonly condition: string;
  /** @default - the expressions have none */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  readonly names?: Record<string, string>;
}

/** The item after the update, or the item that failed its condition: undefined where there is none. */
export type UpdateOutcome =
  | { readonly updated: true; readonly item: Item }
  | { readonly updated: false; readonly item: Item | undefined };

/** Updates one item if its condition holds, in one round trip either way; a conflict with a transaction is tried again. */
export async function updateItem(change: ConditionalUpdate): Promise<UpdateOutcome> {
  return withoutConflict(() => attempt(change));
}

async function attempt(change: ConditionalUpdate): Promise<UpdateOutcome> {
  try {
    const answer = await dynamodb.send(
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
    return { updated: true, item: fromAttributes(answer.Attributes ?? {}) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { updated: false, item: error.Item && fromAttributes(error.Item) };
  }
}
