import { subscribe } from "node:diagnostics_channel";
import type { Worker } from "node:worker_threads";

/** Processor times of the functions and of their local cloud, in milliseconds. */
export interface ProcessorTimes {
  /** Of the threads of each function, by the name that the local cloud gives them. */
  readonly functions: ReadonlyMap<string, number>;
  /** Of the rest of this process, with the threads of the engine. */
  readonly localCloudMs: number;
}

/**
 * Watches the threads in which the local cloud of this process runs functions. Call it before the local cloud starts: threads that are there
 * already count as the local cloud's.
 *
 * Source: Node.js, "Diagnostics Channel", `worker_threads`.
 */
export function watchFunctionThreads(): () => Promise<ProcessorTimes> {
  const threads = new Map<Worker, string>();
  subscribe("worker_threads", (message) => {
    const { worker } = message as { readonly worker: Worker };
    // Its name is gone when it has ended.
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

/** The ids that people know: `local_publish-drop` is that of a route, and `WorkersIndexDrops` of a worker. */
function nameOf({ threadName }: Worker): string {
  return (threadName ?? "").replace(/^(?:local_|Workers)/, "");
}
