import { accessRequestsListener } from "../access-requests/on-table-change.ts";
import { answersListener } from "../answers/on-table-change.ts";
import { streamWorker } from "../background/stream-worker.ts";
import type { TableListener } from "../background/table-change.ts";
import { filesListener } from "../blobs/on-table-change.ts";
import { dropsListener } from "../drops/on-table-change.ts";
import { feedbackListener } from "../feedback/on-table-change.ts";
import { rendersListener } from "../renders/on-table-change.ts";

/** The features that clean up after changes. Invalidations first, since readers wait for them. */
export const janitorListeners: readonly TableListener[] = [
  dropsListener,
  filesListener,
  feedbackListener,
  answersListener,
  accessRequestsListener,
  rendersListener,
];

/**
 * The first reader of the table's stream. A shard has two readers at most: Amazon DynamoDB developer guide, "Change data capture for DynamoDB
 * Streams". So a feature that listens to the table joins this list or that of `track-drops.ts`.
 */
export const janitor = streamWorker("janitor", janitorListeners);
