import { randomUUID } from "node:crypto";
import type { StreamRecord } from "../aws/dynamodb/table-stream.ts";

/** Reason for discarding records. */
export type DiscardCondition = "RetryAttemptsExhausted" | "RecordAgeExceeded";

/** Records that are no longer retried. */
export interface DiscardedBatch {
  readonly records: readonly StreamRecord[];
  readonly condition: DiscardCondition;
  readonly functionName: string;
  readonly invokeCount: number;
  /** Outcome of the last invocation; undefined without an invocation. */
  readonly requestId: string | undefined;
  readonly isFunctionError: boolean;
}

/**
 * Message to the destination for failures: the position of the records in the stream, not their content. Lambda
 * developer guide, "Retain discarded records for a DynamoDB event source", example invocation record.
 */
export function describeDiscarded(
  { records, condition, functionName, invokeCount, requestId, isFunctionError }: DiscardedBatch,
  stream: { readonly arn: string; readonly shardId: string },
): string {
  const [first] = records;
  return JSON.stringify({
    requestContext: {
      requestId: requestId ?? randomUUID(),
      functionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
      condition,
      approximateInvokeCount: invokeCount,
    },
    ...(requestId !== undefined && {
      responseContext: {
        statusCode: 200,
        executedVersion: "$LATEST",
        ...(isFunctionError && { functionError: "Unhandled" }),
      },
    }),
    version: "1.0",
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId: stream.shardId,
      startSequenceNumber: first?.dynamodb.SequenceNumber,
      endSequenceNumber: records.at(-1)?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrivalOf(first),
      approximateArrivalOfLastRecord: arrivalOf(records.at(-1)),
      batchSize: records.length,
      streamArn: stream.arn,
    },
  });
}

function arrivalOf(record: StreamRecord | undefined): string {
  const seconds = record?.dynamodb.ApproximateCreationDateTime ?? 0;
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
