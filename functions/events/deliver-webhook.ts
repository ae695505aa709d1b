import type { SQSRecord } from "aws-lambda";
import pLimit, { type LimitFunction } from "p-limit";
import { mayRetry, retryPauseSeconds } from "../background/postponed-work.ts";
import { queueWorker, shareAcrossJobs } from "../background/worker.ts";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { type LogEntry, writeLog } from "../core/log.ts";
import { PublicRequestError, requestPublicly } from "../core/public-request.ts";
import {
  endpointIdOf,
  signWebhook,
  type WebhookEndpoint,
  webhookEndpoints,
  webhookLimits,
} from "./webhook.ts";
import { type Delivery, parseDelivery, queueDeliveries } from "./webhook-queue.ts";
import { secretsOf, type WebhookRoots, webhookRoots } from "./webhook-secrets.ts";

/** Pause of an endpoint after a delivery has timed out, because slow deliveries use concurrency that other endpoints need. */
const pauseMs = 30_000;

/** Time at which each endpoint's pause ends, by endpoint id. Each execution environment of the function has its own times. */
const pausedUntilMs = new Map<string, number>();

/**
 * Maximum number of concurrent deliveries to one endpoint in a batch. Node.js resolves names on four threads, so one thread remains for
 * other endpoints; see "dns.lookup()", Node.js documentation.
 */
const atOncePerAddress = 3;

/**
 * Delivers each event to each configured endpoint. A refused event is retried for a day with growing pauses, then dropped and logged.
 */
export const deliverWebhook = queueWorker("deliver-webhook", (messages) => {
  const readRoots = shareAcrossJobs(webhookRoots.read);
  const limits = new Map<string, LimitFunction>();
  const limitOf = ({ endpointId }: Delivery) => {
    const limit = limits.get(endpointId) ?? pLimit(atOncePerAddress);
    limits.set(endpointId, limit);
    return limit;
  };
  const run = async ({ body }: SQSRecord) => {
    const delivery = parseDelivery(body);
    await limitOf(delivery)(work, delivery, readRoots);
  };
  return messages.map((message) => ({ sources: [message], run: () => run(message) }));
});

async function work(delivery: Delivery, readRoots: () => Promise<WebhookRoots>): Promise<void> {
  const endpoint = webhookEndpoints().find((one) => endpointIdOf(one) === delivery.endpointId);
  // The operator has removed the endpoint from the settings.
  if (endpoint === undefined) return log("info", delivery, "no-such-webhook");
  const nowMs = Date.now();
  const dueAtMs = Math.max(delivery.dueAtMs, pausedUntilMs.get(delivery.endpointId) ?? 0);
  if (dueAtMs > nowMs && mayRetry(delivery.sinceMs, dueAtMs))
    return queueDeliveries([{ ...delivery, dueAtMs }], nowMs);
  const outcome = await deliver(endpoint, delivery, await readRoots());
  const { host } = new URL(endpoint.url);
  switch (outcome.kind) {
    case "taken":
      pausedUntilMs.delete(delivery.endpointId);
      return log("info", delivery, "delivered", { host });
    case "gone":
      return log("warn", delivery, "webhook-gone", { host });
    case "not-taken":
      return tryLater(delivery, { host, why: outcome.why });
  }
}

type Outcome =
  | { readonly kind: "taken" }
  /** The receiver responded 410, so it wants no more events. */
  | { readonly kind: "gone" }
  | { readonly kind: "not-taken"; readonly why: string };

async function deliver(
  endpoint: WebhookEndpoint,
  { event }: Delivery,
  roots: WebhookRoots,
): Promise<Outcome> {
  const webhook = signWebhook(event, secretsOf(endpoint, roots), Date.now());
  try {
    const { status } = await requestPublicly(new URL(endpoint.url), {
      method: "POST",
      ...webhook,
      timeoutMs: webhookLimits.deliveryMs,
      responseBytesMax: 0,
    });
    if (status >= 200 && status <= 299) return { kind: "taken" };
    return status === 410 ? { kind: "gone" } : { kind: "not-taken", why: `answered-${status}` };
  } catch (error) {
    if (!(error instanceof PublicRequestError)) throw error;
    if (error.why === "timed-out") pausedUntilMs.set(endpointIdOf(endpoint), Date.now() + pauseMs);
    return { kind: "not-taken", why: error.why };
  }
}

async function tryLater(delivery: Delivery, { host, why }: { host: string; why: string }): Promise<void> {
  const nowMs = Date.now();
  const tries = delivery.tries + 1;
  const firstSeconds = Number(readEnvironment(environmentNames.webhookPauseSeconds));
  const seconds = retryPauseSeconds(tries, firstSeconds);
  const dueAtMs = nowMs + seconds * 1000;
  const isLast = !mayRetry(delivery.sinceMs, dueAtMs);
  // A developer may have configured a receiver on their own machine, which has no public address.
  const explanation = "webhooks are only sent to addresses on the public internet: docs/events.md";
  log("warn", delivery, isLast ? "webhook-given-up" : "not-delivered", {
    host,
    why,
    ...(why === "not-public" ? { explanation } : {}),
    ...(isLast ? {} : { againInSeconds: seconds }),
  });
  // Only the receiver can fix a failing endpoint, so failed deliveries do not go to the dead-letter queue.
  if (!isLast) await queueDeliveries([{ ...delivery, tries, dueAtMs }], nowMs);
}

function log(level: LogEntry["level"], delivery: Delivery, event: string, more: object = {}): void {
  const { kind, slug, number } = delivery.event;
  const tries = delivery.tries + 1;
  writeLog({ level, operation: "deliver-webhook", event, ...more, kind, slug, number, tries });
}
