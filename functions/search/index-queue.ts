import pLimit from "p-limit";
import { type Key, keys, ranges } from "../table/keys.ts";
import { getItem, type Item, queryAll } from "../table/table.ts";
import { deleteItemIf, deleteItems, updateItem } from "../table/table-writes.ts";
import type { IndexedPlace } from "./search-document.ts";

/** Work on the index: a changed drop, or an older object of the index to check. */
export type IndexTask = IndexedPlace | { readonly objectKey: string };

/** A task that an execution has begun but not ended. */
export interface BegunTask {
  /** Number of attempts that have begun but not ended: their executions crashed, or one is still running. */
  readonly crashes: number;
  /** Time of the first attempt. */
  readonly atMs: number;
}

/** The tasks of one owner, or of the index's objects. Several changes of a drop are one task: an account has 500 drops. */
export interface QueuedOwner {
  readonly key: Key;
  /** @default - the tasks are objects of the index */
  readonly ownerId: string | undefined;
  /** Slugs, or keys of objects. */
  readonly waiting: ReadonlySet<string>;
  readonly begun: ReadonlyMap<string, BegunTask>;
  /** Time since which it waits without progress. */
  readonly sinceMs: number;
  /** Time before which no task is tried, because one has ended the function. @default - no rest */
  readonly restsUntilMs: number | undefined;
}

/** State of an owner's tasks after an attempt. */
export interface QueueProgress {
  /** Tasks that are retried alone. */
  readonly begun: ReadonlyMap<string, BegunTask>;
  /** Tasks that wait again, as if they had not begun. @default - none */
  readonly left?: readonly string[];
  /** @default - no rest */
  readonly restsUntilMs?: number | undefined;
}

/** Maximum of an owner's waiting tasks, including deleted drops. */
const waitingMax = 2_000;

/** Maximum of owners that are written concurrently. */
const writesAtOnce = 10;

/** Maximum of owners that are read for a search. */
const ownersReadMax = 300;

/**
 * The queue of `index-drops`, in the table: an item for each owner. Changes add to the item's set; the writer takes the
 * tasks that it begins out of the set, and those added meanwhile stay.
 */
export const indexQueue = {
  /** Adds tasks. @throws Error if too many of one owner wait, so that the change is redelivered */
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

  /** All waiting tasks; strongly consistent. */
  async list(): Promise<QueuedOwner[]> {
    return (await queryAll(ranges.waitingIndexTasks())).map(toQueuedOwner);
  },

  /** Owners whose drops wait, for a search: at most `ownersReadMax`, and always the searcher. */
  async listFor(userId: string | undefined): Promise<QueuedOwner[]> {
    const items = await queryAll(ranges.waitingIndexTasks(), { limit: ownersReadMax });
    const { sk } = keyOf(userId);
    // If more owners wait, the searcher may be after the last one read.
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

  /** Writes the outcome of an owner's tasks since `nowMs`. The last task removes the item. */
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

  /** Takes over the queue of single changes that an earlier version of the service left. */
  async adoptEarlier(nowMs: number): Promise<void> {
    const items = await queryAll(ranges.earlierIndexTasks());
    await indexQueue.add(items.map(toEarlierTask), nowMs);
    await deleteItems(items.map(({ pk, sk }) => ({ pk, sk }) as Key));
  },
};

/** Another execution, which was considered crashed, may have removed the item. */
const always = "attribute_exists(pk) OR attribute_not_exists(pk)";

const progressSet = "begun = :begun, restsUntilMs = :rests";

function progressValues({ begun, restsUntilMs = 0 }: QueueProgress): Record<string, unknown> {
  return { ":begun": Object.fromEntries(begun), ":rests": restsUntilMs };
}

/** The name of a task, unique for its owner. */
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
