import pLimit from "p-limit";
import { type Key, keys, ranges } from "../table/keys.ts";
import { getItem, type Item, queryAll } from "../table/table.ts";
import { always, deleteItemIf, deleteItems, updateItem } from "../table/table-writes.ts";
import type { IndexedPlace } from "./search-document.ts";

/** Task of the indexer: a changed drop to index, or an object of the index to check. */
export type IndexTask = IndexedPlace | { readonly objectKey: string };

/** A task whose attempt has begun but not ended, or has failed. */
export interface BegunTask {
  /** Number of attempts without an end, because the execution crashed or is still running. */
  readonly crashes: number;
  /** Time of the first attempt, in Unix milliseconds. */
  readonly atMs: number;
}

/** Queued tasks of one owner, or of the index's objects. Several changes of a drop are one task. */
export interface QueuedOwner {
  readonly key: Key;
  /** Account of the owner. @default - the tasks are objects of the index */
  readonly ownerId: string | undefined;
  /** Slugs of drops, or keys of objects. */
  readonly waiting: ReadonlySet<string>;
  readonly begun: ReadonlyMap<string, BegunTask>;
  /** Time since which the tasks have waited without progress, in Unix milliseconds. */
  readonly sinceMs: number;
  /** Time until which the tasks are paused, because one of them has crashed the function. @default - not paused */
  readonly restsUntilMs: number | undefined;
}

/** State of an owner's tasks after an attempt. */
interface QueueProgress {
  /** Tasks that are retried, each alone in a batch. */
  readonly begun: ReadonlyMap<string, BegunTask>;
  /** Tasks that are requeued, as if they had never started. @default - none */
  readonly left?: readonly string[];
  /** Time until which the owner's tasks are paused, in Unix milliseconds. @default - not paused */
  readonly restsUntilMs?: number | undefined;
}

/** Maximum number of an owner's waiting tasks, including tasks for deleted drops. */
const waitingMax = 2_000;

/** Maximum number of owners whose items are written concurrently. */
const writesAtOnce = 10;

/** Maximum number of owners whose items are read for a search. */
const ownersReadMax = 300;

/**
 * The queue of `index-drops`. The table has one item for each owner, with a set of waiting tasks. Changes add tasks to the set. The indexer
 * removes only the tasks that it begins, and keeps tasks that are added in the meantime.
 */
export const indexQueue = {
  /** Adds tasks to the queue. @throws Error if an owner has too many waiting tasks, so that the change is redelivered */
  async add(tasks: readonly IndexTask[], nowMs: number): Promise<void> {
    const byKey = Map.groupBy(tasks, (task) => ("slug" in task ? task.ownerId : undefined));
    await pLimit(writesAtOnce).map(byKey, async ([ownerId, ofOwner]) => {
      const { updated } = await updateItem({
        key: keyOf(ownerId),
        update: "SET sinceMs = if_not_exists(sinceMs, :now) ADD waiting :names",
        condition: "attribute_not_exists(waiting) OR size(waiting) < :max",
        values: { ":now": nowMs, ":names": new Set(ofOwner.map(nameOf)), ":max": waitingMax },
      });
      if (!updated) throw new Error(`More than ${waitingMax} changes of one account wait to be indexed.`);
    });
  },

  /** Reads the tasks of all owners with a strongly consistent read. */
  async list(): Promise<QueuedOwner[]> {
    return (await queryAll(ranges.waitingIndexTasks())).map(toQueuedOwner);
  },

  /** Reads the owners whose drops wait to be indexed, for a search. Returns up to `ownersReadMax` owners, and always the searcher. */
  async listFor(userId: string | undefined): Promise<QueuedOwner[]> {
    const items = await queryAll(ranges.waitingIndexTasks(), { limit: ownersReadMax });
    const { sk } = keyOf(userId);
    // If the list is truncated, the searcher's item may be missing, so it is read separately.
    const isCut = items.length === ownersReadMax && items.every((item) => item.sk !== sk);
    const own = isCut && userId !== undefined ? await getItem(keyOf(userId)) : undefined;
    const found = own === undefined ? items : [...items, own];
    return found.map(toQueuedOwner).filter(({ ownerId }) => ownerId !== undefined);
  },

  /** Records the begun tasks before an attempt, because a function that crashes cannot record them afterwards. */
  async begin(owner: QueuedOwner, names: readonly string[], progress: QueueProgress): Promise<void> {
    await updateItem({
      key: owner.key,
      update: `SET ${progressSet} DELETE waiting :names`,
      // The item may be missing if an execution that was considered crashed has removed it.
      condition: always,
      values: { ...progressValues(progress), ":names": new Set(names) },
    });
  },

  /** Writes the outcome of an attempt at an owner's tasks. Deletes the item if no tasks remain. */
  async end({ key }: QueuedOwner, progress: QueueProgress, nowMs: number): Promise<void> {
    const { begun, left = [], restsUntilMs } = progress;
    if (begun.size === 0 && left.length === 0 && restsUntilMs === undefined) {
      if (await deleteItemIf(key, { condition: "attribute_not_exists(waiting)" })) return;
    }
    await updateItem({
      key,
      update: `SET ${progressSet}, sinceMs = :now${left.length > 0 ? " ADD waiting :left" : ""}`,
      condition: always,
      values: {
        ...progressValues(progress),
        ":now": nowMs,
        ...(left.length > 0 ? { ":left": new Set(left) } : {}),
      },
    });
  },

  /** Moves tasks from the queue of an earlier version of the service, which stored an item for each change. */
  async adoptEarlier(nowMs: number): Promise<void> {
    const items = await queryAll(ranges.earlierIndexTasks());
    const tasks = items.map(({ ownerId, slug, objectKey }) =>
      objectKey === undefined ? { ownerId, slug } : { objectKey },
    );
    await indexQueue.add(tasks as IndexTask[], nowMs);
    await deleteItems(items.map(({ pk, sk }) => ({ pk, sk }) as Key));
  },
};

const progressSet = "begun = :begun, restsUntilMs = :rests";

function progressValues({ begun, restsUntilMs = 0 }: QueueProgress): Record<string, unknown> {
  return { ":begun": Object.fromEntries(begun), ":rests": restsUntilMs };
}

/** Returns the name of a task, which is unique among its owner's tasks. */
function nameOf(task: IndexTask): string {
  return "slug" in task ? task.slug : task.objectKey;
}

function keyOf(ownerId: string | undefined): Key {
  return ownerId === undefined ? keys.waitingIndexObjects() : keys.waitingIndexOwner(ownerId);
}

function toQueuedOwner({ pk, sk, waiting, begun, sinceMs, restsUntilMs }: Item): QueuedOwner {
  const key = { pk, sk } as Key;
  const prefix = keys.waitingIndexOwner("").sk;
  return {
    key,
    ownerId: key.sk.startsWith(prefix) ? key.sk.slice(prefix.length) : undefined,
    waiting: (waiting as ReadonlySet<string> | undefined) ?? new Set(),
    begun: new Map(Object.entries((begun as Record<string, BegunTask> | undefined) ?? {})),
    sinceMs: sinceMs as number,
    restsUntilMs: (restsUntilMs as number | undefined) || undefined,
  };
}
