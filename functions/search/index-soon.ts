import { invokeWorker } from "../background/invoke-worker.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { type IndexTask, indexQueue } from "./index-queue.ts";

/** Adds tasks to the queue, and invokes `index-drops`. */
export async function indexSoon(tasks: readonly IndexTask[]): Promise<void> {
  await indexQueue.add(tasks, Date.now());
  // The event names the worker, so that operators can identify a dead letter.
  await invokeWorker(readEnvironment(environmentNames.indexDropsFunction), { queue: "search" });
}
