import type { Context } from "aws-lambda";
import { runJobs } from "./job.ts";
import { logBatch } from "./queue-worker.ts";

/**
 * Makes a Lambda handler for asynchronous invocations. An event whose work fails comes again after one and two minutes, and goes to the
 * dead letters then.
 *
 * Source: AWS Lambda developer guide, "How Lambda handles errors and retries with asynchronous invocation".
 */
export function invokedWorker(id: string, run: (event: unknown, context: Context) => Promise<void>) {
  return async (event: unknown, context: Context): Promise<void> => {
    const startedAtMs = performance.now();
    const failures = await runJobs([{ sources: [event], run: () => run(event, context) }]);
    logBatch(id, context, { startedAtMs, records: 1, failed: failures.size, failures });
    // Lambda logs what is thrown, and the messages of faults are in no log.
    if (failures.size > 0) throw new Error(`${id} has failed: the line before says why.`);
  };
}
