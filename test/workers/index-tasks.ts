import { type IndexTask, indexQueue, type QueuedOwner } from "../../functions/search/index-queue.ts";
import { ranges } from "../../functions/table/keys.ts";
import { queryKeys } from "../../functions/table/table.ts";
import { deleteItems } from "../../functions/table/table-writes.ts";

/** Returns an owner's tasks that are waiting or in progress. */
function tasksOf({ ownerId, waiting, begun }: QueuedOwner): IndexTask[] {
  const names = new Set([...waiting, ...begun.keys()]);
  return [...names].map((name) => (ownerId === undefined ? { objectKey: name } : { ownerId, slug: name }));
}

/** Returns all tasks in the search index's queue. */
export async function waitingTasks(): Promise<IndexTask[]> {
  return (await indexQueue.list()).flatMap(tasksOf);
}

/** Removes all tasks from the queue. */
export async function clearIndexQueue(): Promise<void> {
  await deleteItems(await queryKeys(ranges.waitingIndexTasks()));
}
