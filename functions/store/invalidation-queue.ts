import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { environmentNames } from "../contract/environment.ts";
import { type Invalidation, toInvalidationMessage } from "../domain/invalidation.ts";
import { readEnvironment } from "./environment.ts";

const sqs = new SQSClient({
  maxAttempts: 4,
  // Else the address inside the queue's URL would win over a region's or a local endpoint.
  useQueueUrlAsEndpoint: false,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
});

/** Puts an invalidation off by the queue's delay, after which no answer is under way that was made before. */
export async function invalidateLater(invalidation: Invalidation): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: readEnvironment(environmentNames.invalidationsQueueUrl),
      MessageBody: toInvalidationMessage(invalidation),
    }),
  );
}
