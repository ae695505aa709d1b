import pLimit from "p-limit";
import { type Key, keys, ranges } from "../table/keys.ts";
import { getItem, type Item, queryAll } from "../table/table.ts";
import { deleteItemIf, deleteItems, updateItem } from "../table/table-writes.ts";
import type { IndexedPlace } from "./search-document.ts";

/** Work on the index: a drop that has changed, or an object of the index that was created some time ago and is to be checked. */
export type IndexTask = IndexedPlace | { readonly objectKey: string };

/** A task that an execution has begun and not ended. */
export interface BegunTask {
  /** Attempts that have begun and not ended: so many executions died with it, or one is at it now. */
  readonly crashes: number;
  /** Time of the first attempt. */
  readonly atMs: number;
}

/** The tasks of one owner, or of the index's objects. However often a drop changes, it is one task: an account has 500. */
export interface QueuedOwner {
  readonly key: Key;
  /** @default - the tasks are objects of the index */
  readonly ownerId: string | undefined;
  /** Slugs, or keys of objects. */
  readonly waiting: ReadonlySet<string>;
  readonly begun: ReadonlyMap<string, BegunTask>;
  /** Time since which it waits without progress. */
  readonly sinceMs: number;
  /** No task is tried before: one has ended the function. @default - they are tried */
  readonly restsUntilMs: number | undefined;
}

/** State of an owner's tasks after an attempt. */
export interface QueueProgress {
  /** Tasks that are tried again without others. */
  readonly begun: ReadonlyMap<string, BegunTask>;
  /** Tasks that wait again, as if they had not been begun. @default - none */
  readonly left?: readonly string[];
  /** @default - no rest */
  readonly restsUntilMs?: number | undefined;
}

/** Tasks of one owner that wait at most, deleted drops among them. */
const waitingMax = 2_000;

/** Owners that are written at the same time. */
const writesAtOnce = 10;

/** Owners that are read for a search. */
const ownersReadMax = 300;

/**
 * The queue of `index-drops`, in the table: an item for each owner. Changes add to the item's set; the writer takes from the set what it begins, and
 * what is added meanwhile stays in it.
 */
export const indexQueue = {
  /**
   * Adds tasks.
   *
   * @throws Error where too many of one owner wait, so that the change comes again
   */
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

  /** All that wait; strongly consistent. */
  async list(): Promise<QueuedOwner[]> {
    return (await queryAll(ranges.waitingIndexTasks())).map(toQueuedOwner);
  },

  /** Owners whose drops wait, for a search: so many at most, and the searcher always. */
  async listFor(userId: string | undefined): Promise<QueuedOwner[]> {
    const items = await queryAll(ranges.waitingIndexTasks(), { limit: ownersReadMax });
    const { sk } = keyOf(userId);
    // Where more wait, the searcher may be behind the last.
    const isCut = items.length === ownersReadMax && items.every((item) => item.sk !== sk);
    const own = isCut && userId !== undefined ? await getItem(keyOf(userId)) : undefined;
    const found = own === undefined ? items : [...items, own];
    return found.map(toQueuedOwner).filter(({ ownerId }) => ownerId !== undefined);
  },

  /** Takes tasks out of the set and counts the attempt first, because an attempt that ends the function cannot report it. */
  async begin(owner: QueuedOwner, names: readonly string[], progress: QueueProgress): Promise<void> {
    await updateItem({
      key: owner.key,
      update: `SET ${progressSet} DELETE waiting :names`,
      condition: always,
      values: { ...progressValues(progress), ":names": new Set(names) },
    });
  },

  /** Writes what has become of an owner's tasks since `nowMs`. The item goes with the last of them. */
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

  /** Takes over what an earlier version of the service has left in a queue of single changes. */
  async adoptEarlier(nowMs: number): Promise<void> {
    const items = await queryAll(ranges.earlierIndexTasks());
    await indexQueue.add(items.map(toEarlierTask), nowMs);
    await deleteItems(items.map(({ pk, sk }) => ({ pk, sk }) as Key));
  },
};

/** Another execution, which was taken for dead, may have removed the item. */
const always = "attribute_exists(pk) OR attribute_not_exists(pk)";

const progressSet = "begun = :begun, restsUntilMs = :rests";

function progressValues({ begun, restsUntilMs = 0 }: QueueProgress): Record<string, unknown> {
  return { ":begun": Object.fromEntries(begun), ":rests": restsUntilMs };
}

/** The name of a task among those of its owner. */
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

function toEarlierTask({ ownerId, slug, objectKey }: Item): IndexTask {
  return objectKey === undefined ? ({ ownerId, slug } as IndexedPlace) : { objectKey: objectKey as string };
}
