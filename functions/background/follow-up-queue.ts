import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";

const sqs = withoutUnusedMiddleware(
  new SQSClient({
    maxAttempts: 4,
    // Sends to the configured endpoint. By default, the SDK would send to the host in the queue's URL instead.
    useQueueUrlAsEndpoint: false,
    requestHandler: timeouts(10_000),
  }),
);

/** Queues a message with a delay of at most 900 seconds. */
export async function sendLater(message: string, delaySeconds: number): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: readEnvironment(environmentNames.followUpsQueueUrl),
      MessageBody: message,
      DelaySeconds: delaySeconds,
    }),
  );
}
