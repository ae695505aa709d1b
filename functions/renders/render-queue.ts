import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { environmentNames, readEnvironment } from "../platform/environment.ts";
import { withoutNeedlessMiddleware } from "../platform/sdk-middleware.ts";
import { timeOuts } from "../platform/time-outs.ts";
import { type RenderMessage, toRenderMessage } from "./render-message.ts";

/** Nobody waits long for what can be asked for again. */
const sqs = withoutNeedlessMiddleware(
  new SQSClient({
    maxAttempts: 2,
    // Else the address inside the queue's URL would win over a region's or a local endpoint.
    useQueueUrlAsEndpoint: false,
    requestHandler: timeOuts(2_000),
  }),
);

/** The most messages that one SendMessageBatch takes; Amazon SQS API reference. */
const batchMessagesMax = 10;

/**
 * Puts versions into the queue of those that are to be rendered.
 *
 * @throws Error where any of them may not be in it.
 */
export async function queueRenders(versions: readonly RenderMessage[]): Promise<void> {
  for (let start = 0; start < versions.length; start += batchMessagesMax) {
    const batch = versions.slice(start, start + batchMessagesMax);
    const { Failed = [] } = await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: readEnvironment(environmentNames.rendersQueueUrl),
        Entries: batch.map((version, index) => ({
          Id: String(index),
          MessageBody: toRenderMessage(version),
        })),
      }),
    );
    if (Failed.length > 0) {
      throw new Error(
        `Amazon SQS took ${Failed.length} of ${batch.length} messages not: ${Failed[0]?.Code}.`,
      );
    }
  }
}
