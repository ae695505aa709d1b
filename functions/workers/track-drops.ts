import { eventJobs } from "./drop-events.ts";
import { indexJobs } from "./library-entries.ts";
import { streamWorker } from "./worker.ts";

/**
 * The table's stream: the library's index follows whom drops are for, and what happens to drops is told. One function for both: a shard
 * of the stream has room for two readers, and the janitor is the other. The index first: readers look for what is in it.
 */
export const trackDrops = streamWorker("track-drops", (records) => [
  ...indexJobs(records),
  ...eventJobs(records),
]);
