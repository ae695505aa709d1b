import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { delaySeconds } from "../background/postponed-work.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";
import { type DropEvent, eventKinds } from "./event.ts";

const sqs = withoutUnusedMiddleware(
  new SQSClient({
    maxAttempts: 4,
    // By default, the SDK would use the host in the queue's URL instead of the configured endpoint.
    useQueueUrlAsEndpoint: false,
    requestHandler: timeouts(5_000),
  }),
);

/** Maximum number of messages in one SendMessageBatch; see Amazon SQS API reference. */
const batchMessagesMax = 10;

/** An event to deliver to an endpoint. */
export interface Delivery {
  /** Id of the endpoint from `endpointIdOf`. */
  readonly endpointId: string;
  readonly event: DropEvent;
  readonly tries: number;
  /** Time of the first attempt, in Unix milliseconds. */
  readonly sinceMs: number;
  readonly dueAtMs: number;
}

/** Queues deliveries. Each message is delayed until its delivery is due. @throws Error if a delivery may not have been queued */
export async function queueDeliveries(deliveries: readonly Delivery[], nowMs: number): Promise<void> {
  for (let start = 0; start < deliveries.length; start += batchMessagesMax) {
    const batch = deliveries.slice(start, start + batchMessagesMax);
    const { Failed = [] } = await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: readEnvironment(environmentNames.webhooksQueueUrl),
        Entries: batch.map((delivery, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify(delivery),
          DelaySeconds: delaySeconds(delivery.dueAtMs, nowMs),
        })),
      }),
    );
    if (Failed.length > 0) {
      throw new Error(
        `Amazon SQS did not accept ${Failed.length} of ${batch.length} messages: ${Failed[0]?.Code}.`,
      );
    }
  }
}

/** Parses a delivery from a queue message. @throws Error if the message is not a delivery */
export function parseDelivery(text: string): Delivery {
  const { endpointId, event, tries, sinceMs, dueAtMs } = Object(JSON.parse(text));
  const areNumbers = [tries, sinceMs, dueAtMs, event?.number].every(Number.isSafeInteger);
  if (typeof endpointId === "string" && areNumbers && eventKinds.includes(event.kind)) {
    return { endpointId, event, tries, sinceMs, dueAtMs };
  }
  throw new Error("The message is not a webhook delivery.");
}
