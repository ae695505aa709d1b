import { type Key, keys, ranges } from "../table/keys.ts";
import { type Item, queryAll } from "../table/table.ts";
import { deleteItems, writeItems } from "../table/table-writes.ts";
import type { IndexedPlace } from "./search-document.ts";

/** Work on the index: a drop that has changed, or an object of the index that was created some time ago and is to be checked. */
export type IndexTask = IndexedPlace | { readonly objectKey: string };

/** A task in the queue. */
export interface QueuedTask {
  readonly key: Key;
  readonly task: IndexTask;
  /** Time at which it was added. */
  readonly atMs: number;
  /** Number of attempts that have begun and not ended. */
  readonly crashes: number;
  /** It has failed together with others, and is tried without them. */
  readonly isAlone: boolean;
}

/** The queue of `index-drops`, in the table, oldest first. */
export const indexQueue = {
  /** Adds tasks. Each write has a key of its own, so that none that is added while the worker reads is removed with an earlier one. */
  async add(tasks: readonly IndexTask[], atMs: number): Promise<void> {
    const items = tasks.map((task) => ({
      ...keys.waitingIndexTask(atMs, "slug" in task ? task.slug : task.objectKey),
      ...task,
      atMs,
    }));
    await writeItems({ puts: items });
  },

  /** The first so many; strongly consistent. */
  async first(count: number): Promise<QueuedTask[]> {
    return (await queryAll(ranges.waitingIndexTasks(), { limit: count })).map(toQueuedTask);
  },

  /** Writes how tasks were tried. */
  async update(tasks: readonly QueuedTask[]): Promise<void> {
    const items = tasks.map(({ key, task, atMs, crashes, isAlone }) => ({
      ...key,
      ...task,
      atMs,
      crashes,
      isAlone,
    }));
    await writeItems({ puts: items });
  },

  async remove(tasks: readonly QueuedTask[]): Promise<void> {
    await deleteItems(tasks.map(({ key }) => key));
  },
};

function toQueuedTask({ pk, sk, ownerId, slug, objectKey, atMs, crashes = 0, isAlone = false }: Item) {
  return {
    key: { pk, sk },
    task: objectKey === undefined ? { ownerId, slug } : { objectKey },
    atMs,
    crashes,
    isAlone,
  } as QueuedTask;
}
