import type { DropEvent } from "./event.ts";
import { sendToBus } from "./event-bus.ts";
import { endpointIdOf, endpointsFor } from "./webhook.ts";
import { queueDeliveries } from "./webhook-queue.ts";

/**
 * Sends events to the bus and to the webhooks in the settings. Events that the bus refuses are sent later.
 *
 * @throws Error if a queue does not accept its messages
 */
export async function sendEvents(events: readonly DropEvent[]): Promise<void> {
  // The bus and the webhooks do not wait for each other, and a failure of one does not prevent the other.
  const settled = await Promise.allSettled([sendToBus(events), queueForWebhooks(events, Date.now())]);
  const failed = settled.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
}

/** Queues events for the webhook endpoints that are currently in the settings. */
async function queueForWebhooks(events: readonly DropEvent[], nowMs: number): Promise<void> {
  const deliveries = events.flatMap((event) =>
    endpointsFor(event).map((endpoint) => ({
      endpointId: endpointIdOf(endpoint),
      event,
      tries: 0,
      sinceMs: nowMs,
      dueAtMs: nowMs,
    })),
  );
  await queueDeliveries(deliveries, nowMs);
}
