import { createHash, createHmac } from "node:crypto";
import { environmentNames, findEnvironment, readEnvironment } from "../core/environment.ts";
import { type DropEvent, type EventKind, eventKinds, presentEvent, timeOf } from "./event.ts";

/** Limits of webhook endpoints and deliveries. */
export const webhookLimits = {
  /**
   * Endpoints are stored in a function's environment variables, which are limited to 4 KB in total; see "Lambda quotas", AWS Lambda
   * developer guide.
   */
  endpointsMax: 5,
  urlCharactersMax: 400,
  /** Timeout of a delivery: name resolution, connection, and the head of the response. */
  deliveryMs: 10_000,
} as const;

/** An endpoint that receives events, as in the settings. */
export interface WebhookEndpoint {
  /** An https URL on the public internet. */
  readonly url: string;
  /** @default - all kinds */
  readonly events?: readonly EventKind[];
}

/**
 * Serializes the endpoints in the settings for a function's environment, which is limited to 4 KB. Omits the list of kinds for an endpoint
 * that receives all.
 */
export function serializeWebhooks(endpoints: readonly WebhookEndpoint[]): string {
  const all = (events: readonly EventKind[]) => eventKinds.every((kind) => events.includes(kind));
  return JSON.stringify(
    endpoints.map(({ url, events }) => (events && !all(events) ? { url, events } : { url })),
  );
}

/** Returns the endpoints in the stack's settings. Returns an empty list without endpoints. */
export function webhookEndpoints(): readonly WebhookEndpoint[] {
  return JSON.parse(findEnvironment(environmentNames.webhooks) ?? "[]");
}

/**
 * Derives an endpoint's id for queue messages, which do not contain the URL. Endpoints that were removed from the settings are not called.
 */
export function endpointIdOf({ url }: Pick<WebhookEndpoint, "url">): string {
  return createHash("sha256").update(url).digest("hex").slice(0, 16);
}

/** Lists the endpoints that receive an event. */
export function endpointsFor({ kind }: Pick<DropEvent, "kind">): readonly WebhookEndpoint[] {
  return webhookEndpoints().filter(({ events }) => events?.includes(kind) ?? true);
}

/**
 * Presents an event as a signed webhook. Body and id stay the same in every attempt. Each attempt is signed with every valid secret and its
 * own time.
 *
 * Source: Standard Webhooks, "Payload structure" and "Webhook signatures".
 */
export function signWebhook(event: DropEvent, secrets: readonly string[], nowMs: number) {
  const data = presentEvent(event, readEnvironment(environmentNames.stackName));
  const body = JSON.stringify({ type: event.kind, timestamp: timeOf(event), data });
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.map((secret) => `v1,${signatureOf(secret, `${event.id}.${timestamp}.${body}`)}`);
  return {
    body,
    headers: {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "user-agent": "Dropleaf",
      "webhook-id": event.id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatures.join(" "),
    },
  };
}

function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return createHmac("sha256", key).update(content).digest("base64");
}
