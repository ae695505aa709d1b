import { type IndexTask, indexQueue, type QueuedOwner } from "../../functions/search/index-queue.ts";
import { ranges } from "../../functions/table/keys.ts";
import { queryKeys } from "../../functions/table/table.ts";
import { deleteItems } from "../../functions/table/table-writes.ts";

/** The tasks of an owner that wait or have begun. */
function tasksOf({ ownerId, waiting, begun }: QueuedOwner): IndexTask[] {
  const names = new Set([...waiting, ...begun.keys()]);
  return [...names].map((name) => (ownerId === undefined ? { objectKey: name } : { ownerId, slug: name }));
}

/** All tasks in the queue of the search index. */
export async function waitingTasks(): Promise<IndexTask[]> {
  return (await indexQueue.list()).flatMap(tasksOf);
}

/** Removes all of them. */
export async function clearIndexQueue(): Promise<void> {
  await deleteItems(await queryKeys(ranges.waitingIndexTasks()));
}
