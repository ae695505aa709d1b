import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { environmentNames } from "../contract/environment.ts";
import { describeFault } from "../domain/fault.ts";
import { toViewMessage } from "../domain/view.ts";
import { readEnvironment } from "./environment.ts";
import { writeLog } from "./log.ts";

const sqs = new SQSClient({
  maxAttempts: 1,
  // Else the address inside the queue's URL would win over a region's or a local endpoint.
  useQueueUrlAsEndpoint: false,
});

/** A reader does not wait longer than this for being counted. */
const waitMsMax = 250;

/** Reports a view of a drop, to be counted within seconds. Never fails and never takes long: then the view is lost. */
export async function countView(ownerId: string, slug: string): Promise<void> {
  try {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: readEnvironment(environmentNames.viewsQueueUrl),
        MessageBody: toViewMessage({ ownerId, slug }),
      }),
      { abortSignal: AbortSignal.timeout(waitMsMax) },
    );
  } catch (error) {
    writeLog({ level: "warn", event: "view-not-counted", ...describeFault(error) });
  }
}
