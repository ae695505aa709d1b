import { postponedInvalidations } from "../background/invalidate.ts";
import { changeWork, postponedChanges } from "../background/stream-worker.ts";
import { queueWorker } from "../background/worker.ts";
import { eventWork, postponedEvents } from "../events/event-bus.ts";
import { earlierIndexJobs, searchKind } from "../search/index-soon.ts";
import { janitorListeners } from "./janitor.ts";
import { orphanChecks } from "./orphans.ts";
import { trackerListeners } from "./track-drops.ts";

/**
 * The queue of postponed work: checks for objects without a row, invalidations, events that the account's bus has not accepted, and changes
 * of the table that failed for a feature. One queue for all, since Lambda polls each queue constantly, which costs.
 */
export const followUp = queueWorker("follow-up", (messages) => {
  const byKind = Object.groupBy(messages, ({ body }) => kindOf(body));
  const { notification = [], events = [], change = [], search = [], invalidation = [] } = byKind;
  return [
    // First, since readers wait for it.
    ...postponedInvalidations(invalidation),
    ...earlierIndexJobs(search),
    ...orphanChecks(notification),
    ...postponedEvents(events),
    ...postponedChanges(change, [...janitorListeners, ...trackerListeners]),
  ];
});

/** Kind of a message. Buckets send Records, or Event in a test of the queue: Amazon S3 user guide, "Event message structure". */
function kindOf(body: string): "notification" | "events" | "change" | "search" | "invalidation" {
  try {
    const message = Object(JSON.parse(body));
    if ("Records" in message || "Event" in message) return "notification";
    if (message.kind === eventWork.kind) return "events";
    if (message.kind === changeWork.kind) return "change";
    if (message.kind === searchKind) return "search";
  } catch {
    // The reader of that kind reports it.
  }
  return "invalidation";
}
