import type { SQSRecord } from "aws-lambda";
import { postponedInvalidations } from "./invalidate.ts";
import { orphanChecks } from "./orphans.ts";
import { queueWorker } from "./worker.ts";

/**
 * The queue of what is to be looked at later: objects that may have no row, and invalidations that wait. One queue for
 * both, because Lambda asks each queue all the time, which is paid for.
 */
export const followUp = queueWorker("follow-up", (messages) => {
  const { notification = [], other = [] } = Object.groupBy(messages, (message) =>
    isNotification(message) ? "notification" : "other",
  );
  // First: readers wait for it.
  return [...postponedInvalidations(other), ...orphanChecks(notification)];
});

/** What a bucket sends has Records, or Event where it only tests the queue: Amazon S3, "Event message structure". */
function isNotification({ body }: SQSRecord): boolean {
  try {
    const message = Object(JSON.parse(body));
    return "Records" in message || "Event" in message;
  } catch {
    return false;
  }
}
