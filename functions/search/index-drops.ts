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

// docs/adr/0101-full-text-search.md

/** The name of the lease of the one execution that writes the index. */
export const indexLeaseName = "search-index";

/** Shorter than a minute: Lambda redelivers the event of a crashed execution after a minute. */
const leaseSeconds = 15;

/** Name of the lease of the one execution that waits until the writer has ended or crashed. */
const successorLeaseName = "search-index-successor";
const successorLeaseSeconds = 1;
const successorAsksMs = 500;

/** Maximum cost of a batch: about a second, so that others' new changes get their turn. One account gets a third of it. */
const batchTokensMax = 180_000;
const ownerTokensMax = 60_000;
const batchMsMax = 10_000;

/** Part of the function's time reserved for the last batch and a merge after it. */
const reserveMs = 60_000;

/** Pause before the queue is read again, so that the changes of a busy service are written together. */
const pauseMs = 500;

/**
 * Time that an account's tasks rest after one of its pages, alone in a batch, has ended the function, and after such a
 * page was given up.
 */
const restMs = 5 * 60_000;
const longRestMs = 60 * 60_000;

/** Failures that end a run, because AWS would refuse the remaining calls too. */
const failuresMax = 5;

/** Maximum of owners' items that are written concurrently. */
const writesAtOnce = 10;

export interface IndexRunOptions {
  /** Time from which no other batch begins, in Unix milliseconds. */
  readonly endMs: number;
  /** Indexes tasks. Returns those that were left out, which wait again. */
  readonly perform: (tasks: readonly IndexTask[]) => Promise<readonly IndexTask[]>;
  /** Cleans up the index while no task waits. Returns false if there is nothing to do. @default - no clean-up */
  readonly tidyUp?: () => Promise<boolean>;
  /** @default - no pause */
  readonly pauseMs?: number;
  /** Time that one execution at a time waits for the lease of another. @default - no wait */
  readonly waitMs?: number;
}

/**
 * Works through the queue of changes for search, unless another execution does.
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

/** A run of the worker: its options, and the tasks that have failed in it. */
interface Run extends IndexRunOptions {
  readonly failures: Map<string, unknown>;
}

/**
 * Works through the queue until it is empty. Does nothing if another execution holds the lease: that one reads the
 * queue again after it has released the lease, and so finds everything that was added before.
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
      await lease.giveBack();
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

/** Waits for the lease of another execution, which may have crashed. Only one execution waits, because others would occupy Lambda. */
async function waitForLease({ waitMs = 0 }: Run): Promise<Lease | undefined> {
  const successor =
    waitMs > 0
      ? await takeLease(successorLeaseName, { seconds: successorLeaseSeconds, isRenewed: true })
      : undefined;
  if (successor === undefined) return undefined;
  try {
    for (const endMs = Date.now() + waitMs; Date.now() < endMs; ) {
      await setTimeout(successorAsksMs);
      const lease = await takeIndexLease();
      if (lease !== undefined) return lease;
    }
    return undefined;
  } finally {
    await successor.giveBack();
  }
}

function isOver({ endMs, failures }: Run, lease: Lease): boolean {
  return Date.now() >= endMs || lease.isLost() || failures.size >= failuresMax;
}

function nextBatch(owners: readonly QueuedOwner[], { failures }: Run): Batch | undefined {
  const hasFailed = ({ key }: QueuedOwner, name: string) => failures.has(`${key.sk} ${name}`);
  return composeBatch(owners, { nowMs: Date.now(), hasFailed });
}

/** Works until no task waits and the index is clean. */
async function work(run: Run, lease: Lease): Promise<void> {
  while (!isOver(run, lease)) {
    const owners = await indexQueue.list();
    await endRests(owners);
    const waiting = owners.filter(({ waiting, begun }) => waiting.size + begun.size > 0);
    if (waiting.length > 0) tellLateIndex(Math.min(...waiting.map(({ sinceMs }) => sinceMs)), Date.now());
    const batch = nextBatch(owners, run);
    if (batch !== undefined) {
      const isDone = await tryBatch(batch, run);
      const isAll = waiting.every(({ waiting: { size }, key }) => size <= takenOf(batch, key.sk));
      if (isDone && isAll && run.pauseMs !== undefined) await setTimeout(run.pauseMs);
    } else if (!(await run.tidyUp?.())) return;
  }
}

function takenOf({ parts }: Batch, sk: string): number {
  return parts.find(({ owner }) => owner.key.sk === sk)?.names.length ?? 0;
}

/** Removes the items of owners that only had a rest. */
async function endRests(owners: readonly QueuedOwner[]): Promise<void> {
  const nowMs = Date.now();
  for (const owner of owners) {
    const isEmpty = owner.waiting.size + owner.begun.size === 0;
    if (isEmpty && (owner.restsUntilMs ?? 0) <= nowMs)
      await indexQueue.end(owner, { begun: new Map() }, nowMs);
  }
}

/** Tries a batch. Returns false if tasks of it remain or failed. */
async function tryBatch(batch: Batch, run: Run): Promise<boolean> {
  const startMs = Date.now();
  const [first] = batch.tasks;
  if (first === undefined) return true;
  const { crashes = 0 } = first.owner.begun.get(first.name) ?? {};
  if (crashes >= crashesMax) return giveUp(first, "crash");
  // An owner's tasks rest after a page that ended the function. The rest is cleared when the batch has ended.
  const restsUntilMs = batch.isAlone && crashes > 0 ? startMs + restMs : undefined;
  await eachOwner(batch, (part) =>
    indexQueue.begin(part.owner, part.names, { begun: withBegun(part, startMs), restsUntilMs }),
  );
  let left: ReadonlySet<IndexTask>;
  const tasks = batch.tasks.map(toTask);
  try {
    left = new Set(await run.perform(tasks));
  } catch (error) {
    // The attempt has ended, so its tasks did not crash.
    await eachOwner(batch, (part) =>
      indexQueue.end(part.owner, { begun: afterFailure(part, startMs) }, startMs),
    );
    if (batch.isAlone) await keepFailed(first, error, run);
    return false;
  }
  const leftNames = new Map<QueuedOwner, string[]>();
  for (const [index, { owner, name }] of batch.tasks.entries())
    if (left.has(tasks[index] as IndexTask)) leftNames.set(owner, [...(leftNames.get(owner) ?? []), name]);
  await eachOwner(batch, ({ owner, names }) => {
    const begun = new Map([...owner.begun].filter(([name]) => !names.includes(name)));
    return indexQueue.end(owner, { begun, left: leftNames.get(owner) ?? [] }, startMs);
  });
  return left.size === 0;
}

async function eachOwner({ parts }: Batch, write: (part: BatchPart) => Promise<void>): Promise<void> {
  await pLimit(writesAtOnce).map(parts, write);
}

function toTask({ owner: { ownerId }, name }: Batch["tasks"][number]): IndexTask {
  return ownerId === undefined ? { objectKey: name } : { ownerId, slug: name };
}

/** The begun tasks of an owner after an attempt that failed: each is tried alone afterwards. */
function afterFailure({ owner, names }: BatchPart, atMs: number) {
  const begun = new Map(owner.begun);
  for (const name of names) begun.set(name, owner.begun.get(name) ?? { crashes: 0, atMs });
  return begun;
}

/** Keeps a failed task for the next run, or gives it up after an hour. */
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

/** Indexes the drops of a batch in one write of the index, and checks its objects. */
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
 * Removes a segment that no manifest names. For the manifest, cleans up withdrawn texts instead: the message of each
 * write triggers it. Returns false if more texts remain.
 */
async function checkObject(objectKey: string, nowMs: number): Promise<boolean> {
  if (isManifest(objectKey)) return !(await cleanIndex(nowMs));
  if (!(await isOfIndex(objectKey))) await removeSegments([objectKey]);
  return true;
}

/** Age from which a change counts as late. Usually changes are indexed within seconds, and the metric costs nothing then. */
const lateMs = 60_000;

/** Publishes the age of the oldest change in an attempt, successful or not. */
export function tellLateIndex(oldestAtMs: number, nowMs: number): void {
  const ageMs = nowMs - oldestAtMs;
  if (ageMs < lateMs) return;
  const FunctionName = process.env.AWS_LAMBDA_FUNCTION_NAME ?? "local";
  const value = {
    value: Math.round(ageMs / 1000),
    unit: "Seconds",
    dimensions: { FunctionName },
    nowMs,
  } as const;
  writeLog({ level: "warn", event: "search-late", ...embeddedMetric(indexAgeMetric, value) });
}
