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
    // By default, the SDK would use the queue URL's host instead of the endpoint of the region or the local cloud.
    useQueueUrlAsEndpoint: false,
    requestHandler: { httpsAgent: agent },
  }),
);

/** Maximum time that a page's response waits for the report of a view, in milliseconds. */
const waitMsMax = 500;

/** Reports views of a drop while its page is rendered. The returned function waits for the report, at most `waitMsMax`, and never fails. */
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
