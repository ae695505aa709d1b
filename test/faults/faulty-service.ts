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

/** Postponed events. The queue has no worker here. */
export let postponedEvents: () => readonly ToldEvent[] = () => [];

/** Changes of the table that failed for a feature and will be retried. */
export let postponedChanges: () => readonly PostponedChange[] = () => [];

/** Queued first or repeated deliveries of webhooks. */
export let queuedDeliveries: () => readonly Delivery[] = () => [];

/** Events received by webhooks, by id. Grows. */
export const receivedWebhooks = new Map<string, Set<string>>();

/** URLs of webhooks: one accepts all deliveries, and one refuses all. */
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

/** Rendering of every page, because the run's service has no browser. */
const drawing: Drawing = {
  report: { views: [], weight: { pageBytes: 1, fileBytes: 0, requests: 0 } },
  pictures: { card: { mediaType: "image/png", widthPx: 1, heightPx: 1, bytes: "AAAA" } },
  milliseconds: 1,
};

/**
 * Starts the local cloud's AWS, and connects this process's operations to it, as administrator, and to the identity provider
 * of the run's service. No workers run on it, so that the data of a case stays unchanged.
 *
 * @returns a function that stops it
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
    // Takedowns wait this long for requests in progress, and there are none here. 0 would divide by zero.
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
    // The run's service has no webhooks and no queue for them.
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

/** Records all messages sent to the follow-up queue. The list grows. */
function recordFollowUps({ queues }: AwsEndpoint): readonly string[] {
  const sent: string[] = [];
  const queue = queues.get(process.env.FOLLOW_UPS_QUEUE_URL?.split("/").at(-1) ?? "");
  if (queue === undefined) throw new Error("The stack has no follow-up queue.");
  const { send } = queue;
  queue.send = (message) => {
    sent.push(message.body);
    return send(message);
  };
  return sent;
}
