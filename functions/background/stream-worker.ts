import { setTimeout as sleep } from "node:timers/promises";
import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSRecord,
} from "aws-lambda";
import { streamRecordSecondsMax } from "../core/limits.ts";
import { writeFault } from "../core/log.ts";
import { postponedWork } from "./postponed-work.ts";
import { type TableChange, type TableListener, toTableChange, tryRead } from "./table-change.ts";
import { type Job, logBatch, runJobs } from "./worker.ts";

/** Time reserved at the end of an execution for queuing failed changes and logging the batch. */
const reserveMs = 10_000;

/**
 * Creates a Lambda handler for the table's stream. Every listener gets each change. If a change fails for a feature, it is queued for this
 * feature, without delaying other features. If it cannot be queued, Lambda delivers the batch again from that change, and all features
 * repeat their work.
 *
 * Source: AWS Lambda developer guide, "Configuring partial batch response with DynamoDB and Lambda".
 */
export function streamWorker(id: string, listeners: readonly TableListener[]) {
  return async (
    { Records: records }: DynamoDBStreamEvent,
    context: Context,
  ): Promise<DynamoDBBatchResponse> => {
    const startedAtMs = performance.now();
    const changes = records.flatMap((record) => tryRead(id, record, () => toTableChange(record)) ?? []);
    const stopAtMs = Date.now() + context.getRemainingTimeInMillis() - reserveMs;
    const jobs = listeners.flatMap(({ feature, onTableChange }) =>
      onTableChange(changes).map((job) => ({ ...stoppedAt(stopAtMs, job), feature })),
    );
    const failures = await runJobs(jobs);
    const failed = [...failures].flatMap(([{ feature, sources }, error]) =>
      sources.map((change) => ({ feature, change, error })),
    );
    const left = new Set<DynamoDBRecord>();
    const postpone = async ({ feature, change, error }: (typeof failed)[number]) => {
      try {
        await changeWork.postpone({ feature, record: change.record });
        writeFault({ level: "warn", operation: id, event: "change-postponed", feature }, error);
      } catch {
        left.add(change.record);
      }
    };
    await runJobs(failed.map((one) => ({ sources: [], run: () => postpone(one) })));
    logBatch(id, context, { startedAtMs, records: records.length, failed: failed.length, failures });
    const first = records.find((record) => left.has(record))?.dynamodb?.SequenceNumber;
    return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first }] };
  };
}

/** Makes a job fail before the function's timeout, which would end the jobs of all features. */
function stoppedAt(stopAtMs: number, { sources, run }: Job<TableChange>): Job<TableChange> {
  return {
    sources,
    async run() {
      const stop = new AbortController();
      const late = sleep(Math.max(0, stopAtMs - Date.now()), undefined, { signal: stop.signal }).then(() => {
        throw new Error("The function is about to time out.");
      });
      // Ignores the timer's rejection after the race has ended.
      late.catch(() => undefined);
      try {
        await Promise.race([run(), late]);
      } finally {
        stop.abort();
      }
    },
  };
}

/** Queue of table changes that failed for a feature. */
export const changeWork = postponedWork<{ readonly feature: string; readonly record: DynamoDBRecord }>(
  "table-change",
  ({ feature, record }) =>
    typeof feature === "string" && typeof record?.dynamodb === "object" ? { feature, record } : undefined,
);

/** Creates a job for each queued change, which passes the change to the feature again. */
export function postponedChanges(
  messages: readonly SQSRecord[],
  listeners: readonly TableListener[],
): Job<SQSRecord>[] {
  const passOn = async ({ feature, record }: Parameters<typeof changeWork.postpone>[0]) => {
    const listener = listeners.find((one) => one.feature === feature);
    if (listener === undefined) throw new Error(`No feature "${feature}" listens to the table.`);
    const failures = await runJobs(listener.onTableChange([toTableChange(record, true)]));
    if (failures.size === 0) return undefined;
    const [error] = failures.values();
    const givenUp = `Feature "${feature}" could not process a table change within an hour.`;
    return { left: { feature, record }, error, log: { event: "change-postponed", feature }, givenUp };
  };
  return changeWork.jobs(messages, passOn, streamRecordSecondsMax * 1000);
}
