import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { type LogEntry, writeFault, writeLog } from "../platform/log.ts";
import { type Job, runJobs } from "./job.ts";

/**
 * Makes a Lambda handler for a queue's messages. Messages that failed come again after the queue's visibility timeout, and go to its
 * dead letters in the end. A message without a job is done.
 *
 * Source: AWS Lambda developer guide, "Implementing partial batch responses" for Amazon SQS.
 */
export function queueWorker(id: string, plan: (messages: readonly SQSRecord[]) => readonly Job<SQSRecord>[]) {
  return async ({ Records: messages }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const startedAtMs = performance.now();
    const failures = await runJobs(plan(messages));
    const failed = new Set([...failures.keys()].flatMap(({ sources }) => sources));
    logBatch(id, context, { startedAtMs, records: messages.length, failed: failed.size, failures });
    const left = messages.filter((message) => failed.has(message));
    return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

/** What became of a batch. */
interface BatchOutcome {
  readonly startedAtMs: number;
  readonly records: number;
  /** How many of them failed. */
  readonly failed: number;
  /** The errors of the jobs that failed. */
  readonly failures: ReadonlyMap<unknown, unknown>;
}

/** Writes one line of JSON about a batch, without the contents of its records. */
export function logBatch(
  operation: string,
  { awsRequestId: requestId }: Context,
  { startedAtMs, records, failed, failures }: BatchOutcome,
): void {
  const entry: LogEntry = {
    level: failures.size > 0 ? "error" : "info",
    operation,
    requestId,
    records,
    failed,
    durationMs: Math.round(performance.now() - startedAtMs),
  };
  const [firstError] = failures.values();
  if (failures.size > 0) writeFault(entry, firstError);
  else writeLog(entry);
}
