import type { DynamoDBRecord } from "aws-lambda";
import { writeFault } from "../platform/log.ts";

/**
 * What `read` makes of a record, or `otherwise` where it cannot be read: it would be no more readable the next time, and everything
 * behind it in the stream would wait.
 */
export function readOrSkip<Result>(
  record: DynamoDBRecord,
  read: (record: DynamoDBRecord) => Result,
  otherwise: Result,
): Result {
  try {
    return read(record);
  } catch (error) {
    const sequenceNumber = record.dynamodb?.SequenceNumber;
    writeFault(
      { level: "error", operation: "track-drops", event: "unreadable-record", sequenceNumber },
      error,
    );
    return otherwise;
  }
}
