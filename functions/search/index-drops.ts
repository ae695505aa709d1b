import { setTimeout } from "node:timers/promises";
import pLimit from "p-limit";
import { invokedWorker } from "../background/worker.ts";
import { streamRecordSecondsMax } from "../core/limits.ts";
import { embeddedMetric, writeFault, writeLog } from "../core/log.ts";
import { type Lease, takeLease } from "../table/lease.ts";
import { type Batch, type BatchPart, composeBatch, crashesMax, withBegun } from "./index-batch.ts";
import { isManifest, isOfIndex, removeSegments } from "./index-files.ts";
import { type IndexTask, indexQueue, type QueuedOwner } from "./index-queue.ts";
import { cleanIndex, mergeIndex } from "./index-upkeep.ts";
import { updateIndex } from "./index-writer.ts";
import { indexAgeMetric } from "./search-document.ts";

/** Name of the lease (a lock that expires) that lets only one execution write the index. */
export const indexLeaseName = "search-index";

/** Duration of the lease. The lease ends before Lambda redelivers the event of a crashed execution, which is after a minute. */
const leaseSeconds = 15;

/** Name of a second lease, which lets only one other execution wait until the index writer ends or crashes. */
const successorLeaseName = "search-index-successor";
const successorLeaseSeconds = 1;
const successorAttemptMs = 500;

/**
 * Maximum number of tokens in a batch, and of one account's tokens in it. A batch takes about a second, so that it hardly delays other
 * accounts.
 */
const batchTokensMax = 180_000;
const ownerTokensMax = 60_000;
const batchMsMax = 10_000;

/** Time reserved at the end of the function's timeout, for the last batch and a merge. */
const reserveMs = 60_000;

/** Pause before the queue is read again, so that several changes are written together when the service is busy. */
const pauseMs = 500;

/**
 * Pause of an account's tasks after one of its pages crashed the function, in milliseconds. After the last attempt at the page, the pause
 * is `longRestMs`.
 */
const restMs = 5 * 60_000;
const longRestMs = 60 * 60_000;

/** Number of failures after which an execution ends, because AWS would probably refuse its other calls too. */
const failuresMax = 5;

/** Maximum number of owners whose items are written concurrently. */
const writesAtOnce = 10;

export interface IndexRunOptions {
  /** Time after which no further batch is started, in Unix milliseconds. */
  readonly endMs: number;
  /** Performs tasks. Returns skipped tasks, which are requeued. */
  readonly perform: (tasks: readonly IndexTask[]) => Promise<readonly IndexTask[]>;
  /** Cleans up the index while the queue is empty. Returns false if there is nothing to do. @default - no clean-up */
  readonly tidyUp?: () => Promise<boolean>;
  /** Pause before the queue is read again, in milliseconds. @default - no pause */
  readonly pauseMs?: number;
  /** Maximum wait for another execution's lease, in milliseconds. Only one execution waits. @default - no wait */
  readonly waitMs?: number;
}

/**
 * Processes the queue of changes for search, unless another execution is doing so.
 *
 * @throws Error if tasks remain, so that Lambda redelivers the event
 */
export const indexDrops = invokedWorker("index-drops", async (_event, context) => {
  await indexQueue.adoptEarlier(Date.now());
  await processIndexQueue({
    endMs: Date.now() + context.getRemainingTimeInMillis() - reserveMs,
    perform: performTasks,
    tidyUp: () => mergeIndex(Date.now(), { isQuiet: true }),
    pauseMs,
    waitMs: (leaseSeconds + 1) * 1000,
  });
});

/** A run of the worker: its options, and the errors of failed tasks. */
interface Run extends IndexRunOptions {
  readonly failures: Map<string, unknown>;
}

/**
 * Processes the queue until it is empty. Does nothing if another execution holds the lease. After releasing the lease, that execution reads
 * the queue once more, so it finds tasks that were added in the meantime.
 *
 * @throws Error if a task failed or time ran out
 */
export async function processIndexQueue(options: IndexRunOptions): Promise<void> {
  const run: Run = { ...options, failures: new Map() };
  for (;;) {
    const lease = (await takeIndexLease()) ?? (await waitForLease(run));
    if (lease === undefined) return;
    try {
      await work(run, lease);
    } finally {
      await lease.release();
    }
    const owners = await indexQueue.list();
    const hasMore = nextBatch(owners, run) !== undefined;
    if (hasMore && !isOver(run, lease)) continue;
    const isLeft = owners.some(({ waiting, begun }) => waiting.size + begun.size > 0);
    const [error = new Error("Changes remain to be indexed.")] = run.failures.values();
    if (isLeft || run.failures.size > 0) throw error;
    return;
  }
}

function takeIndexLease(): Promise<Lease | undefined> {
  return takeLease(indexLeaseName, { seconds: leaseSeconds, isRenewed: true });
}

/**
 * Waits for the lease of another execution, which may have crashed. Only one execution waits, because waiting executions use up
 * concurrency.
 */
async function waitForLease({ waitMs = 0 }: Run): Promise<Lease | undefined> {
  const successor =
    waitMs > 0
      ? await takeLease(successorLeaseName, { seconds: successorLeaseSeconds, isRenewed: true })
      : undefined;
  if (successor === undefined) return undefined;
  try {
    for (const endMs = Date.now() + waitMs; Date.now() < endMs; ) {
      await setTimeout(successorAttemptMs);
      const lease = await takeIndexLease();
      if (lease !== undefined) return lease;
    }
    return undefined;
  } finally {
    await successor.release();
  }
}

function isOver({ endMs, failures }: Run, lease: Lease): boolean {
  return Date.now() >= endMs || lease.isLost() || failures.size >= failuresMax;
}

function nextBatch(owners: readonly QueuedOwner[], { failures }: Run): Batch | undefined {
  const hasFailed = ({ key }: QueuedOwner, name: string) => failures.has(`${key.sk} ${name}`);
  return composeBatch(owners, { nowMs: Date.now(), hasFailed });
}

/** Processes batches until the queue is empty, then cleans up the index. */
async function work(run: Run, lease: Lease): Promise<void> {
  while (!isOver(run, lease)) {
    const owners = await indexQueue.list();
    await endRests(owners);
    const waiting = owners.filter(({ waiting, begun }) => waiting.size + begun.size > 0);
    if (waiting.length > 0) reportLateIndex(Math.min(...waiting.map(({ sinceMs }) => sinceMs)), Date.now());
    const batch = nextBatch(owners, run);
    if (batch !== undefined) {
      const isDone = await tryBatch(batch, run);
      const taken = new Map(batch.parts.map(({ owner, names }) => [owner.key.sk, names.length]));
      const isAll = waiting.every(({ waiting: { size }, key }) => size <= (taken.get(key.sk) ?? 0));
      if (isDone && isAll && run.pauseMs !== undefined) await setTimeout(run.pauseMs);
    } else if (!(await run.tidyUp?.())) return;
  }
}

/** Removes the items of owners who have no tasks and whose pause has ended. */
async function endRests(owners: readonly QueuedOwner[]): Promise<void> {
  const nowMs = Date.now();
  for (const owner of owners) {
    const isEmpty = owner.waiting.size + owner.begun.size === 0;
    if (isEmpty && (owner.restsUntilMs ?? 0) <= nowMs)
      await indexQueue.end(owner, { begun: new Map() }, nowMs);
  }
}

/** Tries a batch. Returns false if tasks failed or were skipped. */
async function tryBatch(batch: Batch, run: Run): Promise<boolean> {
  const startMs = Date.now();
  const [first] = batch.tasks;
  if (first === undefined) return true;
  const { crashes = 0 } = first.owner.begun.get(first.name) ?? {};
  if (crashes >= crashesMax) return giveUp(first, "crash");
  // Pauses the owner's tasks in case this page crashes the function again. Otherwise, the end of the batch removes the pause.
  const restsUntilMs = batch.isAlone && crashes > 0 ? startMs + restMs : undefined;
  await eachOwner(batch, (part) =>
    indexQueue.begin(part.owner, part.names, { begun: withBegun(part, startMs), restsUntilMs }),
  );
  let left: ReadonlySet<IndexTask>;
  const tasks = batch.tasks.map(toTask);
  try {
    left = new Set(await run.perform(tasks));
  } catch (error) {
    // The attempt ended with an error, so its tasks do not count as crashed.
    await eachOwner(batch, (part) =>
      indexQueue.end(part.owner, { begun: afterFailure(part, startMs) }, startMs),
    );
    if (batch.isAlone) await keepFailed(first, error, run);
    return false;
  }
  const leftTasks = batch.tasks.filter((_, index) => left.has(tasks[index] as IndexTask));
  await eachOwner(batch, ({ owner, names }) => {
    const begun = new Map([...owner.begun].filter(([name]) => !names.includes(name)));
    const ownLeft = leftTasks.filter((task) => task.owner === owner).map(({ name }) => name);
    return indexQueue.end(owner, { begun, left: ownLeft }, startMs);
  });
  return left.size === 0;
}

async function eachOwner({ parts }: Batch, write: (part: BatchPart) => Promise<void>): Promise<void> {
  await pLimit(writesAtOnce).map(parts, write);
}

function toTask({ owner: { ownerId }, name }: Batch["tasks"][number]): IndexTask {
  return ownerId === undefined ? { objectKey: name } : { ownerId, slug: name };
}

/** Returns an owner's begun tasks after a failed attempt. Each of these tasks is later tried alone. */
function afterFailure({ owner, names }: BatchPart, atMs: number) {
  const begun = new Map(owner.begun);
  for (const name of names) begun.set(name, owner.begun.get(name) ?? { crashes: 0, atMs });
  return begun;
}

/** Records a failed task, which the next run retries. An hour after the first attempt, gives up on the task. */
async function keepFailed(failed: Batch["tasks"][number], error: unknown, { failures }: Run): Promise<void> {
  const { owner, name } = failed;
  failures.set(`${owner.key.sk} ${name}`, error);
  writeFault({ level: "error", operation: "index-drops", event: "not-indexed", ...toTask(failed) }, error);
  const { atMs = Date.now() } = owner.begun.get(name) ?? {};
  if (Date.now() - atMs > streamRecordSecondsMax * 1000) await giveUp(failed, "failure");
}

async function giveUp(given: Batch["tasks"][number], why: "crash" | "failure"): Promise<boolean> {
  const { owner, name } = given;
  const begun = new Map(owner.begun);
  begun.delete(name);
  const restsUntilMs = why === "crash" ? Date.now() + longRestMs : undefined;
  await indexQueue.end(owner, { begun, restsUntilMs }, Date.now());
  writeLog({ level: "error", operation: "index-drops", event: "given-up", why, ...toTask(given) });
  return false;
}

/** Indexes the drops of a batch in one write, and checks the index objects of the batch. */
async function performTasks(tasks: readonly IndexTask[]): Promise<readonly IndexTask[]> {
  const nowMs = Date.now();
  const places = tasks.flatMap((task) => ("slug" in task ? [task] : []));
  const budget = { tokensMax: batchTokensMax, ownerTokensMax, endMs: nowMs + batchMsMax };
  const left = places.length === 0 ? [] : await updateIndex(places, nowMs, budget);
  if (places.length > 0) await mergeIndex(nowMs, { isQuiet: false });
  const leftObjects: IndexTask[] = [];
  for (const task of tasks)
    if ("objectKey" in task && !(await checkObject(task.objectKey, nowMs))) leftObjects.push(task);
  return [...left, ...leftObjects];
}

/**
 * Removes a segment that is not in the manifest. For the manifest, which each write replaces, removes withdrawn texts instead. Returns
 * false if more withdrawn texts remain.
 */
async function checkObject(objectKey: string, nowMs: number): Promise<boolean> {
  if (isManifest(objectKey)) return !(await cleanIndex(nowMs));
  if (!(await isOfIndex(objectKey))) await removeSegments([objectKey]);
  return true;
}

/** Age at which a change counts as late. Most changes are indexed within seconds, so the metric usually costs nothing. */
const lateMs = 60_000;

/** Publishes the age of the oldest waiting change as a metric, if the change is late. */
export function reportLateIndex(oldestAtMs: number, nowMs: number): void {
  const ageMs = nowMs - oldestAtMs;
  if (ageMs < lateMs) return;
  const metric = embeddedMetric(indexAgeMetric, {
    value: Math.round(ageMs / 1000),
    unit: "Seconds",
    dimensions: { FunctionName: process.env.AWS_LAMBDA_FUNCTION_NAME ?? "local" },
    nowMs,
  });
  writeLog({ level: "warn", event: "search-late", ...metric });
}
