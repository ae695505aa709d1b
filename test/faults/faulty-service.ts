import { join } from "node:path";
import type { AwsEndpoint } from "@dropleaf/local-cloud/aws/aws-endpoint";
import { openParameterStore } from "@dropleaf/local-cloud/aws/parameters/parameter-store";
import { useLocalInternet } from "@dropleaf/local-cloud/internet";
import { resolveLocalhostNames } from "@dropleaf/local-cloud/localhost-names";
import type { DynamoDBRecord } from "aws-lambda";
import { inject } from "vitest";
import { changeWork } from "../../functions/background/stream-worker.ts";
import type { Delivery } from "../../functions/events/webhook-queue.ts";
import type { Drawing } from "../../functions/renders/report.ts";
import { type ClientHost, startClientHost } from "../support/client-host.ts";
import { runOwnStorage } from "../support/own-storage.ts";
import { environmentOf } from "../support/stack-environment.ts";
import { makeAwsFaulty } from "./faulty-aws.ts";

/** Invalidated cache tags. */
export const invalidatedTags = new Set<string>();

/** Events on the account's bus. */
export const toldEvents: ToldEvent[] = [];

/** Postponed events; the queue has no worker here. */
export let postponedEvents: () => readonly ToldEvent[] = () => [];

/** The changes of the table that failed for a feature and are to be tried again. */
export let postponedChanges: () => readonly PostponedChange[] = () => [];

/** The webhooks that are to be delivered, or to be tried again. */
export let queuedDeliveries: () => readonly Delivery[] = () => [];

/** Events received by webhooks, by id. Grows. */
export const receivedWebhooks = new Map<string, Set<string>>();

/** Addresses of webhooks: one takes what comes, and one takes nothing. */
export const webhookUrls = {
  takes: "https://takes.clients.example/hook",
  refuses: "https://refuses.clients.example/hook",
} as const;

/** A message of the follow-up queue. */
interface PostponedChange {
  readonly kind: string;
  readonly feature: string;
  readonly record: DynamoDBRecord;
}

interface ToldEvent {
  readonly id: string;
  readonly number: number;
  readonly slug: string;
}

/** Drawing of every page: the run's service has no browser. */
const drawing: Drawing = {
  report: { views: [], weight: { pageBytes: 1, fileBytes: 0, requests: 0 } },
  pictures: { card: { mediaType: "image/png", widthPx: 1, heightPx: 1, bytes: "AAAA" } },
  milliseconds: 1,
};

/**
 * Starts AWS of the local cloud, and lets the operations of this process find it, as the administrator, and the identity
 * provider of the run's service. Nothing else of the cloud works on it: what a case leaves is not tidied up behind it.
 *
 * @returns how to stop it
 */
export async function startFaultyService(): Promise<() => Promise<void>> {
  const { endpoint, template, remove } = await runOwnStorage(undefined, { invalidationDelayMs: 0 });
  Object.assign(process.env, await environmentOf({ template, awsEndpoint: endpoint }));
  const parameter = process.env.IDENTITY_PROVIDER_PARAMETER ?? "";
  const registration = openParameterStore(join(inject("serviceDirectory"), "data")).find(parameter);
  endpoint.parameters.put(parameter, "SecureString", registration?.value ?? "");
  endpoint.connectEdge({
    distributionId: process.env.DISTRIBUTION_ID ?? "",
    invalidate: (tags) => {
      for (const tag of tags) invalidatedTags.add(tag);
    },
  });
  endpoint.onEvent(({ detail }) => void toldEvents.push(detail as unknown as ToldEvent));
  const sent = recordFollowUps(endpoint);
  postponedEvents = () => sent.flatMap((body) => JSON.parse(body).events ?? []);
  postponedChanges = () =>
    sent.map((body) => JSON.parse(body)).filter(({ kind }) => kind === changeWork.kind);
  queuedDeliveries = () => sent.map((body) => JSON.parse(body)).filter((one) => one.endpointId !== undefined);
  Object.assign(process.env, {
    DRAW_PAGE_FUNCTION: "DrawPage",
    RENDER_PAGE_FUNCTION: "RenderPage",
    INDEX_DROPS_FUNCTION: "IndexDrops",
    RENDER_CONCURRENCY: "1",
    ACCESS_REQUESTS: "1",
    // Takedowns wait so long for requests in progress, of which there are none. 0 would divide by zero.
    INVALIDATION_DELAY_SECONDS: "0.01",
  });
  endpoint.connectFunctions({
    functionNames: ["DrawPage", "RenderPage", "IndexDrops"],
    requireTenant: () => undefined,
    invokeLater: () => undefined,
    invoke: async () => ({ payload: JSON.stringify(drawing), isFunctionError: false, requestId: "drawn" }),
  });
  resolveLocalhostNames();
  const receivers = await startReceivers();
  Object.assign(process.env, {
    WEBHOOKS: JSON.stringify(Object.values(webhookUrls).map((url) => ({ url }))),
    WEBHOOK_PAUSE_SECONDS: "5",
    // The run's service has no webhooks, and no queue for them.
    WEBHOOKS_QUEUE_URL: process.env.FOLLOW_UPS_QUEUE_URL,
  });
  const makeAwsReliable = await makeAwsFaulty();
  return async () => {
    await makeAwsReliable();
    await receivers.stop();
    await remove();
  };
}

async function startReceivers(): Promise<ClientHost> {
  const host = await startClientHost((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const id = String(request.headers["webhook-id"]);
      const bodies = receivedWebhooks.get(id) ?? new Set();
      receivedWebhooks.set(id, bodies.add(Buffer.concat(chunks).toString()));
      response.writeHead(request.headers.host?.startsWith("takes.") ? 204 : 503).end();
    });
  });
  const at = { addresses: ["93.184.215.14"] };
  const names = Object.values(webhookUrls).map((url) => [new URL(url).host, at]);
  useLocalInternet(host.internetWith(Object.fromEntries(names)));
  return host;
}

/** Every message that was put into the queue of what is done later. Grows. */
function recordFollowUps({ queues }: AwsEndpoint): readonly string[] {
  const sent: string[] = [];
  const queue = queues.get(process.env.FOLLOW_UPS_QUEUE_URL?.split("/").at(-1) ?? "");
  if (queue === undefined) throw new Error("The stack has no queue of what is done later.");
  const { send } = queue;
  queue.send = (message) => {
    sent.push(message.body);
    return send(message);
  };
  return sent;
}
