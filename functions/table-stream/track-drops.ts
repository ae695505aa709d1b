import { streamWorker } from "../background/stream-worker.ts";
import type { TableListener } from "../background/table-change.ts";
import { fileExpiryListener } from "../blobs/due-expiry.ts";
import { expiryListener } from "../drops/due-expiry.ts";
import { auditListener } from "../events/audit-events.ts";
import { eventsListener } from "../events/on-table-change.ts";
import { libraryListener } from "../library/on-table-change.ts";
import { searchListener } from "../search/on-table-change.ts";

/** Listeners that update indexes, schedule expiry and send events. The library comes first, because readers search its index. */
export const trackerListeners: readonly TableListener[] = [
  libraryListener,
  searchListener,
  expiryListener,
  fileExpiryListener,
  eventsListener,
  auditListener,
];

/** The second of two readers of the table's stream; see `janitor.ts`. */
export const trackDrops = streamWorker("track-drops", trackerListeners);
