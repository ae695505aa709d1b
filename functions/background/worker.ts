import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { type LogEntry, writeFault, writeLog } from "../core/log.ts";

/** Work for one or more records of a batch. If the job fails, its records are retried. */
export interface Job<Source> {
  readonly sources: readonly Source[];
  run(): Promise<void>;
}

/** Returns a function that runs a step at its first call, so that several jobs can share the result. */
export function shareAcrossJobs<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const jobsAtOnceMax = 16;

/** Runs every job, even if others fail, and returns the error of each failed job. */
export async function runJobs<J extends Job<unknown>>(jobs: readonly J[]): Promise<Map<J, unknown>> {
  const failures = new Map<J, unknown>();
  const waiting = jobs.values();
  const lanes = Array.from({ length: jobsAtOnceMax }, async () => {
    for (const job of waiting) {
      try {
        await job.run();
      } catch (error) {
        failures.set(job, error);
      }
    }
  });
  await Promise.all(lanes);
  return failures;
}

/**
 * Creates a Lambda handler for a queue's messages. Failed messages are delivered again after the queue's visibility timeout, and finally go
 * to the dead-letter queue. Messages without a job are treated as done.
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

interface BatchOutcome {
  readonly startedAtMs: number;
  readonly records: number;
  readonly failed: number;
  readonly failures: ReadonlyMap<unknown, unknown>;
}

/** Logs a batch, without the contents of its records. */
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

/**
 * Creates a Lambda handler for asynchronous invocations. An event whose work fails is delivered again after one and two minutes, and then
 * goes to the dead-letter queue.
 *
 * Source: AWS Lambda developer guide, "How Lambda handles errors and retries with asynchronous invocation".
 */
export function invokedWorker(id: string, run: (event: unknown, context: Context) => Promise<void>) {
  return async (event: unknown, context: Context): Promise<void> => {
    const startedAtMs = performance.now();
    const failures = await runJobs([{ sources: [event], run: () => run(event, context) }]);
    logBatch(id, context, { startedAtMs, records: 1, failed: failures.size, failures });
    // The original error is not thrown, because Lambda would log its message, which may quote data.
    if (failures.size > 0) throw new Error(`${id} failed. The previous log line has the error.`);
  };
}
