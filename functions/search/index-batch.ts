import type { BegunTask, QueuedOwner } from "./index-queue.ts";

/** Tasks of one owner in a batch. */
export interface BatchPart {
  readonly owner: QueuedOwner;
  readonly names: readonly string[];
}

/** A batch of tasks. */
export interface Batch {
  /** Tasks in the order in which they are tried. Owners take turns. */
  readonly tasks: readonly { readonly owner: QueuedOwner; readonly name: string }[];
  readonly parts: readonly BatchPart[];
  /** True if the batch consists of a single task that failed or crashed in an earlier execution. */
  readonly isAlone: boolean;
}

/** Maximum number of tasks in a batch, and of one owner's tasks in a batch. */
const batchMax = 100;
const ownerMax = 20;

/** Number of crashes after which a task is abandoned. */
export const crashesMax = 3;

/**
 * Composes the next batch from waiting tasks, taken from the owners in turn. If no task waits, retries a failed task alone in a batch.
 * Returns undefined if all remaining tasks have failed in this execution, or belong to an owner whose tasks are paused.
 */
export function composeBatch(
  owners: readonly QueuedOwner[],
  {
    nowMs,
    hasFailed,
  }: { readonly nowMs: number; readonly hasFailed: (owner: QueuedOwner, name: string) => boolean },
): Batch | undefined {
  const awake = owners
    .filter(({ restsUntilMs = 0 }) => restsUntilMs <= nowMs)
    .toSorted((one, other) => one.sinceMs - other.sinceMs);
  const together = awake.map((owner) => ({
    owner,
    names: [...owner.waiting].filter((name) => !owner.begun.has(name)).slice(0, ownerMax),
  }));
  const tasks = takeTurns(together, batchMax);
  if (tasks.length > 0) return { tasks, parts: toParts(tasks), isAlone: false };
  for (const owner of awake) {
    const name = [...owner.begun.keys()].find((one) => !hasFailed(owner, one));
    if (name !== undefined)
      return { tasks: [{ owner, name }], parts: [{ owner, names: [name] }], isAlone: true };
  }
  return undefined;
}

/** Takes one name from each owner in turn, up to a maximum number of names. */
export function takeTurns<Owner>(
  all: readonly { readonly owner: Owner; readonly names: readonly string[] }[],
  max: number,
): { readonly owner: Owner; readonly name: string }[] {
  const rounds = Math.max(0, ...all.map(({ names }) => names.length));
  return Array.from({ length: rounds }, (_, round) =>
    all.flatMap(({ owner, names }) => {
      const name = names[round];
      return name === undefined ? [] : [{ owner, name }];
    }),
  )
    .flat()
    .slice(0, max);
}

function toParts(tasks: Batch["tasks"]): BatchPart[] {
  const byOwner = Map.groupBy(tasks, ({ owner }) => owner);
  return [...byOwner].map(([owner, ofOwner]) => ({ owner, names: ofOwner.map(({ name }) => name) }));
}

/** Adds the tasks of a new batch to an owner's begun tasks. Each attempt is counted as a crash until it ends. */
export function withBegun({ owner, names }: BatchPart, nowMs: number): Map<string, BegunTask> {
  const begun = new Map(owner.begun);
  for (const name of names) {
    const { crashes = 0, atMs = nowMs } = owner.begun.get(name) ?? {};
    begun.set(name, { crashes: crashes + 1, atMs });
  }
  return begun;
}
