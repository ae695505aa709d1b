import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { DynamoDBRecord, AttributeValue as StreamAttributeValue } from "aws-lambda";
import { writeFault } from "../core/log.ts";
import { type Key, type KeySubject, parseKey } from "../table/keys.ts";
import type { Item } from "../table/table.ts";
import type { Job } from "./worker.ts";

/** A change of one table row, from a record of the table's stream. */
export interface TableChange {
  readonly record: DynamoDBRecord;
  readonly eventName: "INSERT" | "MODIFY" | "REMOVE";
  readonly key: Key;
  /** The item that the row's key identifies. Undefined for keys that `parseKey` does not recognize. */
  readonly subject: KeySubject | undefined;
  /** The row before the change. @default - the row was created */
  readonly before: Item | undefined;
  /** The row after the change. @default - the row was removed */
  readonly after: Item | undefined;
  /** True if the change has failed before. Later changes of the same row may already have been processed. */
  readonly isRetried: boolean;
}

/** A feature's listener for changes of the table. */
export interface TableListener {
  /** The feature's name in messages of the follow-up queue. Renaming a feature loses messages that are queued during an upgrade. */
  readonly feature: string;
  /** Creates a feature's jobs for a batch of changes. Changes may be repeated or arrive out of order, so each job reads the current row. */
  onTableChange(changes: readonly TableChange[]): readonly Job<TableChange>[];
}

/** A change of the table, with the content that a feature has read from the change. */
export interface FoundItem<Content> {
  readonly change: TableChange;
  readonly found: Content;
}

/** Parses a record of the table's stream. */
export function toTableChange(record: DynamoDBRecord, isRetried = false): TableChange {
  const { eventName, dynamodb = {} } = record;
  if (eventName === undefined) throw new TypeError("The stream record has no event name.");
  const key = toItem(dynamodb.Keys) as unknown as Key;
  return {
    record,
    eventName,
    key,
    subject: parseKey(key),
    before: dynamodb.OldImage && toItem(dynamodb.OldImage),
    after: dynamodb.NewImage && toItem(dynamodb.NewImage),
    isRetried,
  };
}

/**
 * Collects the results of `read` for each change. If `read` throws, the change is logged and skipped for this feature, because a retry
 * would fail too.
 */
export function collectFromChanges<Content>(
  feature: string,
  changes: readonly TableChange[],
  read: (change: TableChange) => readonly Content[] | Content | undefined,
): FoundItem<Content>[] {
  return changes.flatMap((change) => {
    const found = tryRead(feature, change.record, () => read(change));
    const all = (Array.isArray(found) ? found : found === undefined ? [] : [found]) as readonly Content[];
    return all.map((one) => ({ change, found: one }));
  });
}

/** Calls `read`. If it throws, logs the error and returns undefined. */
export function tryRead<Result>(
  feature: string,
  { dynamodb }: DynamoDBRecord,
  read: () => Result,
): Result | undefined {
  try {
    return read();
  } catch (error) {
    const sequenceNumber = dynamodb?.SequenceNumber;
    writeFault({ level: "error", event: "unreadable-record", feature, sequenceNumber }, error);
    return undefined;
  }
}

/**
 * Returns a text attribute of a table row, for code that removes data. Other code assumes that rows are valid.
 *
 * @throws TypeError if the attribute is missing or empty
 */
export function requireText(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "")
    throw new TypeError(`The table row's attribute ${name} is missing or empty.`);
  return value;
}

/**
 * Converts a row from the format of DynamoDB streams. Lambda's type for attribute values differs from the SDK's only in binary values,
 * which the table does not contain.
 */
function toItem(image: Record<string, StreamAttributeValue> = {}): Item {
  return unmarshall(image as Parameters<typeof unmarshall>[0]);
}
