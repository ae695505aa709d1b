import { invokeWorker } from "../background/invoke-worker.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { type IndexTask, indexQueue } from "./index-queue.ts";

/** Adds tasks to the queue, and has `index-drops` invoked. */
export async function indexSoon(tasks: readonly IndexTask[]): Promise<void> {
  await indexQueue.add(tasks, Date.now());
  // The event tells operators which worker a dead letter comes from.
  await invokeWorker(readEnvironment(environmentNames.indexDropsFunction), { queue: "search" });
}
