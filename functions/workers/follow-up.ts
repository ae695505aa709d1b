import { postponedInvalidations } from "./invalidate.ts";
import { orphanChecks } from "./orphans.ts";
import { isOfEvents, postponedEvents } from "./postponed-events.ts";
import { queueWorker } from "./worker.ts";

/**
 * The queue of what is to be looked at later: objects that may have no row, invalidations that wait, and events that the account's bus
 * has not taken. One queue for all, because Lambda asks each queue all the time, which is paid for.
 */
export const followUp = queueWorker("follow-up", (messages) => {
  const { notification = [], events = [], other = [] } = Object.groupBy(messages, ({ body }) => kindOf(body));
  // First: readers wait for it.
  return [...postponedInvalidations(other), ...orphanChecks(notification), ...postponedEvents(events)];
});

/** What a bucket sends has Records, or Event where it only tests the queue: Amazon S3, "Event message structure". */
function kindOf(body: string): "notification" | "events" | "other" {
  try {
    const message = Object(JSON.parse(body));
    if ("Records" in message || "Event" in message) return "notification";
    return isOfEvents(message) ? "events" : "other";
  } catch {
    return "other";
  }
}
