import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
  SQSRecord,
} from "aws-lambda";
import { type LogEntry, writeFault, writeLog } from "../platform/log.ts";
import type { WorkerId } from "./rows.ts";

/** Makes jobs of the records of a batch; a record that it makes none for is done. */
type Plan<Source> = (records: readonly Source[]) => readonly Job<Source>[];

/**
 * A Lambda handler for a queue's messages. Those that failed come again after the queue's visibility timeout, and go
 * to its dead letters in the end.
 *
 * Source: AWS Lambda, "Implementing partial batch responses" for Amazon SQS.
 */
export function queueWorker(id: WorkerId, plan: Plan<SQSRecord>) {
  return async ({ Records: messages }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const failed = await work(id, plan, messages, context);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

/**
 * A Lambda handler for the table's stream. Everything from the first record that failed comes again; what was done of
 * it is done twice.
 *
 * Source: AWS Lambda, "Configuring partial batch response with DynamoDB and Lambda".
 */
export function streamWorker(id: WorkerId, plan: Plan<DynamoDBRecord>) {
  return async (
    { Records: records }: DynamoDBStreamEvent,
    context: Context,
  ): Promise<DynamoDBBatchResponse> => {
    const failed = await work(id, plan, records, context);
    const first = failed.find(({ dynamodb }) => dynamodb?.SequenceNumber !== undefined);
    const itemIdentifier = first?.dynamodb?.SequenceNumber;
    return { batchItemFailures: itemIdentifier === undefined ? [] : [{ itemIdentifier }] };
  };
}

/**
 * A Lambda handler for asynchronous invocations. An event whose work fails comes again after one and two minutes, and goes to the
 * dead letters then.
 *
 * Source: AWS Lambda, "How Lambda handles errors and retries with asynchronous invocation".
 */
export function invokedWorker(id: WorkerId, run: (event: unknown, context: Context) => Promise<void>) {
  return async (event: unknown, context: Context): Promise<void> => {
    const failed = await work(
      id,
      () => [{ sources: [event], run: () => run(event, context) }],
      [event],
      context,
    );
    // Lambda logs what is thrown, and the messages of faults are in no log.
    if (failed.length > 0) throw new Error(`${id} has failed: the line before says why.`);
  };
}

/** Does a batch and writes one line of JSON about it: never what the records hold. Returns those that failed. */
async function work<Source>(
  id: WorkerId,
  plan: Plan<Source>,
  records: readonly Source[],
  { awsRequestId: requestId }: Context,
): Promise<Source[]> {
  const startedAtMs = performance.now();
  const failures = await runJobs(plan(records));
  const [firstError] = failures.values();
  const entry: LogEntry = {
    level: failures.size > 0 ? "error" : "info",
    operation: id,
    requestId,
    records: records.length,
    failed: failures.size,
    durationMs: Math.round(performance.now() - startedAtMs),
  };
  if (failures.size > 0) writeFault(entry, firstError);
  else writeLog(entry);
  return records.filter((record) => failures.has(record));
}

/** Something to do for some records of a batch. When it fails, these are the ones to be handed over again. */
export interface Job<Source> {
  readonly sources: readonly Source[];
  run(): Promise<void>;
}

/** Jobs at work at the same time. */
const lanesMax = 16;

/** Does every job, whatever becomes of the others, and returns the sources of those that failed with their errors. */
async function runJobs<Source>(jobs: readonly Job<Source>[]): Promise<Map<Source, unknown>> {
  const failures = new Map<Source, unknown>();
  const waiting = jobs.values();
  const lanes = Array.from({ length: lanesMax }, async () => {
    for (const { sources, run } of waiting) {
      try {
        await run();
      } catch (error) {
        for (const source of sources) failures.set(source, error);
      }
    }
  });
  await Promise.all(lanes);
  return failures;
}
