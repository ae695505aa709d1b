import type { Profiler } from "node:inspector";
import type { Session } from "node:inspector/promises";
import { type Part, sharesOf } from "./cpu-shares.ts";

/** Profiles the execution environments of functions, which are threads. */
export interface WorkerProfiles {
  /** Of the functions whose threads the test names: to be sampled costs a thread that waits more than its work. */
  start(isProfiled: (threadName: string) => boolean): Promise<void>;
  /** How the time of all of them is divided, in shares of 1. */
  stop(): Promise<ReadonlyMap<Part, number>>;
}

/** A thread that does not answer waits without an event loop. */
const answerMsMax = 2_000;
/** Of a thread's name, without the byte that ends it: prctl(2), PR_SET_NAME. */
const threadNameLength = 15;
const environmentProgram = /\/lambda\/runtime\.ts$/;

/** Speaks to each thread of this process by the session of its main one: Node's inspector, domain NodeWorker. */
export async function profileWorkers(session: Session): Promise<WorkerProfiles> {
  const environments = new Map<string, string>();
  const waiting = new Map<number, (result: unknown) => void>();
  let profiled: string[] = [];
  let messages = 0;

  session.on("NodeWorker.attachedToWorker", ({ params: { sessionId, workerInfo } }) => {
    // `[worker 7] OperationsGetDrop`, of which the system keeps the first characters.
    const name = workerInfo.title.replace(/^\[.*?\] /, "").slice(0, threadNameLength);
    if (environmentProgram.test(workerInfo.url)) environments.set(sessionId, name);
  });
  session.on("NodeWorker.detachedFromWorker", ({ params }) => void environments.delete(params.sessionId));
  session.on("NodeWorker.receivedMessageFromWorker", ({ params }) => {
    const { id, result } = JSON.parse(params.message) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  await session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });

  async function post(sessionId: string, method: string, params = {}): Promise<unknown> {
    messages += 1;
    const id = messages;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    waiting.set(id, resolve);
    const timer = setTimeout(resolve, answerMsMax);
    const message = JSON.stringify({ id, method, params });
    await session.post("NodeWorker.sendMessageToWorker", { sessionId, message });
    const result = await promise;
    clearTimeout(timer);
    waiting.delete(id);
    return result;
  }

  return {
    async start(isProfiled) {
      profiled = [...environments].filter(([, name]) => isProfiled(name)).map(([sessionId]) => sessionId);
      const start = async (one: string) => {
        await post(one, "Profiler.enable");
        await post(one, "Profiler.setSamplingInterval", { interval: 2000 });
        await post(one, "Profiler.start");
      };
      await Promise.all(profiled.map(start));
    },
    async stop() {
      const results = await Promise.all(profiled.map((one) => post(one, "Profiler.stop")));
      const shares = results.flatMap((result) => {
        const { profile } = (result ?? {}) as { profile?: Profiler.Profile };
        return profile === undefined ? [] : [{ shares: sharesOf(profile), weight: busySamples(profile) }];
      });
      const total = shares.reduce((sum, { weight }) => sum + weight, 0);
      const all = new Map<Part, number>();
      for (const { shares: ofOne, weight } of shares) {
        for (const [part, share] of ofOne) all.set(part, (all.get(part) ?? 0) + (share * weight) / total);
      }
      return all;
    },
  };
}

function busySamples({ nodes, samples = [] }: Profiler.Profile): number {
  const idle = new Set(
    nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id),
  );
  return samples.filter((id) => !idle.has(id)).length;
}
