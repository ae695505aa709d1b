import { postponedInvalidations } from "../background/invalidate.ts";
import { changeWork, postponedChanges } from "../background/stream-worker.ts";
import { queueWorker } from "../background/worker.ts";
import { eventWork, postponedEvents } from "../events/event-bus.ts";
import { earlierIndexJobs, searchKind } from "../search/index-soon.ts";
import { janitorListeners } from "./janitor.ts";
import { orphanChecks } from "./orphans.ts";
import { trackerListeners } from "./track-drops.ts";

/**
 * Worker for the queue of postponed work: checks for objects without a table row, invalidations, events that the account's bus has not accepted,
 * and changes of the table that failed for a feature. All kinds of work share one queue, because Lambda constantly polls each queue, which
 * costs money.
 */
export const followUp = queueWorker("follow-up", (messages) => {
  const byKind = Object.groupBy(messages, ({ body }) => kindOf(body));
  const { notification = [], events = [], change = [], search = [], invalidation = [] } = byKind;
  return [
    // Invalidations come first, because readers wait for them.
    ...postponedInvalidations(invalidation),
    ...earlierIndexJobs(search),
    ...orphanChecks(notification),
    ...postponedEvents(events),
    ...postponedChanges(change, [...janitorListeners, ...trackerListeners]),
  ];
});

/**
 * Returns the kind of a queue message. Buckets send `Records`, or `Event` in a test of the queue; see "Event message structure", Amazon S3
 * user guide.
 */
function kindOf(body: string): "notification" | "events" | "change" | "search" | "invalidation" {
  try {
    const message = Object(JSON.parse(body));
    if ("Records" in message || "Event" in message) return "notification";
    if (message.kind === eventWork.kind) return "events";
    if (message.kind === changeWork.kind) return "change";
    if (message.kind === searchKind) return "search";
  } catch {
    // The parser of invalidations reports a message that is not JSON.
  }
  return "invalidation";
}
