import type { SQSRecord } from "aws-lambda";
import { invokeWorker } from "../background/invoke-worker.ts";
import type { Job } from "../background/worker.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { type IndexTask, indexQueue } from "./index-queue.ts";
import type { IndexedPlace } from "./search-document.ts";

/** Adds tasks to the queue, and invokes `index-drops`. */
export async function indexSoon(tasks: readonly IndexTask[]): Promise<void> {
  await indexQueue.add(tasks, Date.now());
  // The event names the worker, so that operators can identify a dead letter.
  await invokeWorker(readEnvironment(environmentNames.indexDropsFunction), { queue: "search" });
}

/** Kind of message in the follow-up queue with which earlier versions of the service indexed drops. */
export const searchKind = "search";

/** Moves messages of an earlier version of the service from the follow-up queue to the queue of `index-drops`. */
export function earlierIndexJobs(messages: readonly SQSRecord[]): Job<SQSRecord>[] {
  return messages.map((message) => ({ sources: [message], run: () => indexSoon(parsePlaces(message.body)) }));
}

/** @throws Error if the message contains no drops */
function parsePlaces(body: string): readonly IndexedPlace[] {
  const { places } = Object(JSON.parse(body));
  const isPlace = ({ ownerId, slug }: IndexedPlace) =>
    typeof ownerId === "string" && typeof slug === "string";
  if (Array.isArray(places) && places.every(isPlace)) return places;
  throw new Error("The message names no drops.");
}
