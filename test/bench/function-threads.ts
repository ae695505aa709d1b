import { subscribe } from "node:diagnostics_channel";
import type { Worker } from "node:worker_threads";

/** Processor times of the functions and of their local cloud, in milliseconds. */
export interface ProcessorTimes {
  /** Time of each function's threads, by the name that the local cloud gives them. */
  readonly functions: ReadonlyMap<string, number>;
  /** Time of the rest of this process, including the engine's threads. */
  readonly localCloudMs: number;
}

/**
 * Watches the threads in which this process's local cloud runs functions. Call it before the local cloud starts:
 * existing threads count as the local cloud's.
 *
 * Source: Node.js, "Diagnostics Channel", `worker_threads`.
 */
export function watchFunctionThreads(): () => Promise<ProcessorTimes> {
  const threads = new Map<Worker, string>();
  subscribe("worker_threads", (message) => {
    const { worker } = message as { readonly worker: Worker };
    // The name is no longer available after the thread has ended.
    worker.once("online", () => threads.set(worker, nameOf(worker)));
    worker.once("exit", () => threads.delete(worker));
  });
  return async () => {
    const { user, system } = process.cpuUsage();
    const functions = new Map<string, number>();
    for (const [worker, name] of threads) {
      const used = await worker.cpuUsage();
      functions.set(name, (functions.get(name) ?? 0) + (used.user + used.system) / 1000);
    }
    const ofFunctions = [...functions.values()].reduce((sum, ms) => sum + ms, 0);
    return { functions, localCloudMs: (user + system) / 1000 - ofFunctions };
  };
}

/** Converts thread names to the known ids: `local_publish-drop` to a route's, `WorkersIndexDrops` to a worker's. */
function nameOf({ threadName }: Worker): string {
  return (threadName ?? "").replace(/^(?:local_|Workers)/, "");
}
