import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { writeFault } from "../core/log.ts";
import { PrewarmedAgent, prewarm, Sha256, withoutUnusedMiddleware } from "../table/aws-client.ts";
import { toViewMessage, type View } from "./view-counts.ts";

const agent = new PrewarmedAgent();

const sqs = withoutUnusedMiddleware(
  new SQSClient({
    sha256: Sha256,
    maxAttempts: 1,
    // Else the address inside the queue's URL would win over a region's or a local endpoint.
    useQueueUrlAsEndpoint: false,
    requestHandler: { httpsAgent: agent },
  }),
);

/** A reader whose page is made does not wait longer than this for being counted. */
const waitMsMax = 500;

/**
 * Reports views of a drop, to be counted within seconds, while its reader's page is made. What comes back waits for the
 * report's end: it never fails and never takes long, and then the view is lost.
 */
export function countView(ownerId: string, slug: string, views = 1): () => Promise<void> {
  const giveUp = new AbortController();
  const reported = send({ ownerId, slug, views }, giveUp.signal).catch((error: unknown) => {
    writeFault({ level: "warn", event: "view-not-counted" }, error);
  });
  return async () => {
    const timer = setTimeout(() => giveUp.abort(), waitMsMax);
    await reported;
    clearTimeout(timer);
  };
}

async function send(view: View, abortSignal: AbortSignal): Promise<void> {
  await sqs.send(message(toViewMessage(view)), { abortSignal });
}

function message(MessageBody: string): SendMessageCommand {
  return new SendMessageCommand({ QueueUrl: readEnvironment(environmentNames.viewsQueueUrl), MessageBody });
}

prewarm(sqs, agent, () => message("start"));
