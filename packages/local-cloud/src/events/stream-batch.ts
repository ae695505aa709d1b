import { randomUUID } from "node:crypto";
import type { StreamRecord } from "../aws/dynamodb/table-stream.ts";
import { functionLabel } from "../lambda/lambda-function.ts";
import type { LambdaService } from "../lambda/lambda-service.ts";
import { type BatchOutcome, invokeWithBatch } from "./batch-invocation.ts";
import type { StreamMapping } from "./event-source-mapping.ts";
import { sleepUntilAborted } from "./poller.ts";

/** Reason for discarding records. */
type DiscardCondition = "RetryAttemptsExhausted" | "RecordAgeExceeded";

/** Function and stream of a batch, and the receivers of its results. */
interface StreamDelivery {
  readonly mapping: StreamMapping;
  readonly lambda: LambdaService;
  readonly shardId: string;
  /** Called in order with the sequence number of the last record of each part that is done or discarded. */
  readonly onDone: (lastSequenceNumber: string) => void;
  /** Receives a message about discarded records for the failure destination. */
  readonly onDiscard: (message: string) => void;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Number of attempts for the first record of a batch, and the last failure. */
interface Attempts {
  readonly count: number;
  readonly lastFailure: Exclude<BatchOutcome, { type: "done" | "throttled" }> | undefined;
}

const noAttempts: Attempts = { count: 0, lastFailure: undefined };

/** Pauses between attempts, short enough that a corrected function is retried soon. Lambda's pauses are undocumented. */
const firstPauseMs = 200;
const pauseMsMax = 30_000;

/**
 * Delivers a batch until its records are done or discarded. A throttled batch has not reached the function, so it does not count as an
 * attempt, and is retried until its records are too old. See "CreateEventSourceMapping", AWS Lambda API reference, and "Retain discarded
 * records for a DynamoDB event source" and "Configuring partial batch response with DynamoDB and Lambda", AWS Lambda developer guide.
 *
 * @returns false if the delivery was stopped before all records were done or discarded
 */
export async function deliverInOrder(
  records: readonly StreamRecord[],
  delivery: StreamDelivery,
): Promise<boolean> {
  let rest = records;
  let attempts = noAttempts;
  let throttledCount = 0;
  for (;;) {
    const current = withoutTooOld(rest, attempts, delivery);
    if (current.length < rest.length) attempts = noAttempts;
    rest = current;
    if (rest.length === 0) return true;
    if (delivery.signal.aborted) return false;
    const outcome = await invokeWithBatch(rest, rest.map(sequenceNumberOf), delivery);
    if (outcome.type === "done") {
      delivery.onDone(lastOf(rest));
      return true;
    }
    if (outcome.type === "throttled") {
      await sleepUntilAborted(pauseMsAfter(throttledCount), delivery.signal);
      throttledCount += 1;
      continue;
    }
    throttledCount = 0;
    const firstFailed = firstFailedIndex(rest, outcome);
    if (firstFailed > 0) {
      delivery.onDone(lastOf(rest.slice(0, firstFailed)));
      rest = rest.slice(firstFailed);
      attempts = noAttempts;
    }
    attempts = { count: attempts.count + 1, lastFailure: outcome };
    // Splitting a batch does not count against the retry quota.
    const isSplit = delivery.mapping.bisects && rest.length > 1 && outcome.type === "failed";
    if (isSplit) return deliverHalves(rest, delivery, attempts);
    if (attempts.count > delivery.mapping.retriesMax) {
      discard(rest, attempts, "RetryAttemptsExhausted", delivery);
      return true;
    }
    const pauseMs = pauseMsAfter(attempts.count - 1);
    logFailure(rest, attempts, `again in ${pauseMs / 1000} s`, delivery);
    await sleepUntilAborted(pauseMs, delivery.signal);
  }
}

function pauseMsAfter(failures: number): number {
  return Math.min(firstPauseMs * 2 ** failures, pauseMsMax);
}

async function deliverHalves(
  records: readonly StreamRecord[],
  delivery: StreamDelivery,
  attempts: Attempts,
): Promise<boolean> {
  logFailure(records, attempts, "split in two", delivery);
  const middle = Math.ceil(records.length / 2);
  return (
    (await deliverInOrder(records.slice(0, middle), delivery)) &&
    (await deliverInOrder(records.slice(middle), delivery))
  );
}

/** Returns the index of the first failed record, because Lambda resumes at the lowest failed sequence number. */
function firstFailedIndex(records: readonly StreamRecord[], outcome: BatchOutcome): number {
  if (outcome.type !== "items failed") return 0;
  return records.findIndex((record) => outcome.identifiers.has(sequenceNumberOf(record)));
}

function withoutTooOld(
  records: readonly StreamRecord[],
  attempts: Attempts,
  delivery: StreamDelivery,
): readonly StreamRecord[] {
  const oldestSeconds = Date.now() / 1000 - delivery.mapping.recordAgeSecondsMax;
  const firstYoung = records.findIndex(
    ({ dynamodb }) => dynamodb.ApproximateCreationDateTime >= oldestSeconds,
  );
  const count = firstYoung < 0 ? records.length : firstYoung;
  if (count > 0) discard(records.slice(0, count), attempts, "RecordAgeExceeded", delivery);
  return records.slice(count);
}

function discard(
  records: readonly StreamRecord[],
  attempts: Attempts,
  condition: DiscardCondition,
  delivery: StreamDelivery,
): void {
  const target = delivery.mapping.onFailureQueueArn?.replace(/^.*:/, " and reported to ") ?? "";
  logFailure(records, attempts, `discarded${target} (${condition})`, delivery);
  delivery.onDiscard(describeDiscarded(records, attempts, condition, delivery));
  delivery.onDone(lastOf(records));
}

function logFailure(
  records: readonly StreamRecord[],
  { count, lastFailure }: Attempts,
  next: string,
  { mapping, log }: StreamDelivery,
): void {
  const { functionName, retriesMax } = mapping;
  const attemptsMax = Number.isFinite(retriesMax) ? ` of ${retriesMax + 1}` : "";
  const reason = lastFailure?.type === "failed" ? `: ${lastFailure.reason}` : "";
  const size = records.length === 1 ? "1 change" : `${records.length} changes`;
  const [first] = records.map(sequenceNumberOf);
  const attempt = count === 0 ? "not tried" : `failed, attempt ${count}${attemptsMax}`;
  log(`[${functionLabel(functionName)}] ${size} from ${first} on ${attempt}${reason}; ${next}`);
}

function sequenceNumberOf({ dynamodb }: StreamRecord): string {
  return dynamodb.SequenceNumber;
}

function lastOf(records: readonly StreamRecord[]): string {
  const last = records.at(-1);
  if (!last) throw new Error("A batch has at least one record");
  return sequenceNumberOf(last);
}

/**
 * Returns the message for the failure destination. It contains the records' position in the stream, not their content; see "Retain
 * discarded records for a DynamoDB event source", AWS Lambda developer guide.
 */
function describeDiscarded(
  records: readonly StreamRecord[],
  { count, lastFailure }: Attempts,
  condition: DiscardCondition,
  { mapping, shardId }: StreamDelivery,
): string {
  const [first] = records;
  const isFunctionError = lastFailure?.type === "failed" && lastFailure.isFunctionError;
  return JSON.stringify({
    requestContext: {
      requestId: lastFailure?.requestId ?? randomUUID(),
      functionArn: `arn:aws:lambda:us-east-1:000000000000:function:${mapping.functionName}`,
      condition,
      approximateInvokeCount: count,
    },
    ...(lastFailure !== undefined && {
      responseContext: {
        statusCode: 200,
        executedVersion: "$LATEST",
        ...(isFunctionError && { functionError: "Unhandled" }),
      },
    }),
    version: "1.0",
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first?.dynamodb.SequenceNumber,
      endSequenceNumber: records.at(-1)?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrivalOf(first),
      approximateArrivalOfLastRecord: arrivalOf(records.at(-1)),
      batchSize: records.length,
      streamArn: mapping.sourceArn,
    },
  });
}

function arrivalOf(record: StreamRecord | undefined): string {
  const seconds = record?.dynamodb.ApproximateCreationDateTime ?? 0;
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
