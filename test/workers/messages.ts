import { createHash } from "node:crypto";
import { marshall } from "@aws-sdk/util-dynamodb";
import type { DynamoDBRecord, SQSRecord } from "aws-lambda";
import type { Key } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";

/** Returns Lambda's event for messages of a queue at their first receipt, with the ids `m0`, `m1` and so on. */
export function queueEvent(...bodies: readonly string[]): { Records: SQSRecord[] } {
  return { Records: bodies.map((body, index) => queueRecord(`m${index}`, body)) };
}

function queueRecord(messageId: string, body: string): SQSRecord {
  const now = String(Date.now());
  return {
    messageId,
    receiptHandle: `receipt-${messageId}`,
    body,
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: now,
      SenderId: "AIDATEST",
      ApproximateFirstReceiveTimestamp: now,
    },
    messageAttributes: {},
    md5OfBody: createHash("md5").update(body).digest("hex"),
    eventSource: "aws:sqs",
    eventSourceARN: "arn:aws:sqs:us-east-1:111122223333:queue",
    awsRegion: "us-east-1",
  };
}

/** A change of an item, with the item before, after, or both. */
export interface ItemChange {
  readonly before?: Item & Key;
  readonly after?: Item & Key;
}

/** Returns Lambda's event for records of the table's stream, with the sequence numbers 100, 101 and so on. */
export function streamEvent(...changes: readonly ItemChange[]): { Records: DynamoDBRecord[] } {
  return { Records: changes.map((change, index) => streamRecord(change, String(100 + index))) };
}

/** Returns one record of the table's stream. */
export function streamRecord({ before, after }: ItemChange, sequenceNumber = "100"): DynamoDBRecord {
  const { pk, sk } = before ?? after ?? { pk: "", sk: "" };
  const image = (item: Item & Key) =>
    marshall(item, { removeUndefinedValues: true }) as Record<string, never>;
  return {
    eventID: sequenceNumber,
    eventName: before === undefined ? "INSERT" : after === undefined ? "REMOVE" : "MODIFY",
    dynamodb: {
      SequenceNumber: sequenceNumber,
      Keys: marshall({ pk, sk }) as Record<string, never>,
      ...(before ? { OldImage: image(before) } : {}),
      ...(after ? { NewImage: image(after) } : {}),
    },
  };
}

/** Returns a bucket's message for a created object: Amazon S3 user guide, "Event message structure". */
export function objectCreatedMessage(bucket: string, key: string): string {
  return JSON.stringify({
    Records: [
      {
        eventVersion: "2.1",
        eventSource: "aws:s3",
        eventName: "ObjectCreated:Put",
        s3: { bucket: { name: bucket }, object: { key: encodeURIComponent(key).replaceAll("%20", "+") } },
      },
    ],
  });
}
