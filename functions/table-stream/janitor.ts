import { accessRequestsListener } from "../access-requests/on-table-change.ts";
import { answersListener } from "../answers/on-table-change.ts";
import { streamWorker } from "../background/stream-worker.ts";
import type { TableListener } from "../background/table-change.ts";
import { filesListener } from "../blobs/on-table-change.ts";
import { dropsListener } from "../drops/on-table-change.ts";
import { feedbackListener } from "../feedback/on-table-change.ts";
import { rendersListener } from "../renders/on-table-change.ts";

/** Listeners that clean up after changes. Invalidations come first, because readers wait for them. */
export const janitorListeners: readonly TableListener[] = [
  dropsListener,
  filesListener,
  feedbackListener,
  answersListener,
  accessRequestsListener,
  rendersListener,
];

/**
 * The first of two readers of the table's stream. A shard has at most two readers; see "Change data capture for DynamoDB Streams", Amazon
 * DynamoDB developer guide. New listeners must therefore be added to this list or to the list in `track-drops.ts`.
 */
export const janitor = streamWorker("janitor", janitorListeners);
