import { invokedWorker } from "../background/worker.ts";
import { streamRecordSecondsMax } from "../http/limits.ts";
import { writeFault, writeLog } from "../http/log.ts";
import { type Lease, takeLease } from "../table/lease.ts";
import { isManifest, isOfIndex, removeSegments } from "./index-files.ts";
import { type IndexTask, indexQueue, type QueuedTask } from "./index-queue.ts";
import { cleanIndex, updateIndex } from "./index-writer.ts";
import { tellLateIndex } from "./late-index.ts";

/** The name of the lease of the one execution that writes the index. */
export const indexLeaseName = "search-index";

/** Shorter than the minute after which Lambda brings an event of a dead execution again. */
const leaseSeconds = 30;

/** Tasks of one write of the index. */
const batchMax = 100;

/** Attempts that may end the function before a task is given up. */
const crashesMax = 3;

/** Failures after which a run ends: AWS refuses, and would refuse the rest too. */
const failuresMax = 5;

export interface IndexRunOptions {
  /** From then on no other batch is begun, in Unix milliseconds. */
  readonly endMs: number;
  readonly perform: (tasks: readonly IndexTask[]) => Promise<void>;
}

/** Time limit of one batch. */
const batchMsMax = 60_000;

/**
 * Works through the queue of changes for search, unless another execution does.
 *
 * @throws Error when something is left, so that Lambda brings the event again
 */
export const indexDrops = invokedWorker("index-drops", (_event, context) =>
  processIndexQueue({
    endMs: Date.now() + context.getRemainingTimeInMillis() - batchMsMax,
    perform: performTasks,
  }),
);

/**
 * Works through the queue until it is empty. Does nothing if another execution holds the lease: that one looks once more after it
 * has released the lease, and so finds everything that was added before.
 *
 * @throws Error if a task failed or time ran out
 */
export async function processIndexQueue(options: IndexRunOptions): Promise<void> {
  const failures = new Map<string, unknown>();
  for (;;) {
    const lease = await takeLease(indexLeaseName, { seconds: leaseSeconds, isRenewed: true });
    if (lease === undefined) return;
    try {
      await work(options, lease, failures);
    } finally {
      await lease.giveBack();
    }
    const hasMore = (await indexQueue.first(failures.size + 1)).some(({ key }) => !failures.has(key.sk));
    const [error = new Error("Changes are left that are to be indexed.")] = failures.values();
    if (hasMore && !isOver(options, lease, failures)) continue;
    if (hasMore || failures.size > 0) throw error;
    return;
  }
}

function isOver({ endMs }: IndexRunOptions, lease: Lease, failures: ReadonlyMap<string, unknown>): boolean {
  return Date.now() >= endMs || lease.isLost() || failures.size >= failuresMax;
}

/** Tries the waiting tasks together. Tasks that failed before come last, each alone. */
async function work(options: IndexRunOptions, lease: Lease, failures: Map<string, unknown>): Promise<void> {
  while (!isOver(options, lease, failures)) {
    const waiting = (await indexQueue.first(batchMax)).filter(({ key }) => !failures.has(key.sk));
    const [first] = waiting;
    if (first === undefined) return;
    tellLateIndex(first.atMs, Date.now());
    const together = waiting.filter(({ crashes, isAlone }) => crashes === 0 && !isAlone);
    await tryBatch(together.length > 0 ? together : [first], options, failures);
  }
}

async function tryBatch(
  batch: readonly QueuedTask[],
  { perform }: IndexRunOptions,
  failures: Map<string, unknown>,
): Promise<void> {
  const [first] = batch;
  if (first !== undefined && first.crashes >= crashesMax) return giveUp(first, "crash");
  // Counted first: an attempt that ends the function says nothing afterwards.
  await indexQueue.update(batch.map((one) => ({ ...one, crashes: one.crashes + 1 })));
  try {
    await perform(batch.map(({ task }) => task));
  } catch (error) {
    await indexQueue.update(batch.map((one) => ({ ...one, isAlone: true })));
    if (batch.length === 1 && first !== undefined) await keepFailed(first, error, failures);
    return;
  }
  await indexQueue.remove(batch);
}

/** Leaves a task for the next run, or gives it up after an hour. */
async function keepFailed(failed: QueuedTask, error: unknown, failures: Map<string, unknown>): Promise<void> {
  failures.set(failed.key.sk, error);
  writeFault({ level: "error", operation: "index-drops", event: "not-indexed", ...failed.task }, error);
  if (Date.now() - failed.atMs > streamRecordSecondsMax * 1000) await giveUp(failed, "failure");
}

async function giveUp(given: QueuedTask, why: "crash" | "failure"): Promise<void> {
  await indexQueue.remove([given]);
  writeLog({ level: "error", operation: "index-drops", event: "given-up", why, ...given.task });
}

/** Indexes the drops of a batch in one write of the index, and checks its objects. */
async function performTasks(tasks: readonly IndexTask[]): Promise<void> {
  const nowMs = Date.now();
  const places = tasks.flatMap((task) => ("slug" in task ? [task] : []));
  if (places.length > 0) await updateIndex(places, nowMs);
  const objectKeys = new Set(tasks.flatMap((task) => ("objectKey" in task ? [task.objectKey] : [])));
  for (const objectKey of objectKeys) await checkObject(objectKey, nowMs);
}

/** Removes a segment that no manifest names. The message of each write of the manifest is the clock for texts that were withdrawn meanwhile. */
async function checkObject(objectKey: string, nowMs: number): Promise<void> {
  if (isManifest(objectKey)) await cleanIndex(nowMs);
  else if (!(await isOfIndex(objectKey))) await removeSegments([objectKey]);
}
