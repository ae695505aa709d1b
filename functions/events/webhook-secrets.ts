import { createHmac, randomInt } from "node:crypto";
import { randomBase62 } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { getItem, type Item } from "../table/table.ts";
import { always, updateItem } from "../table/table-writes.ts";
import type { WebhookEndpoint } from "./webhook.ts";

/** Length of a root secret: 64 base62 characters, 381 bits. */
const rootLength = 64;

/** Root secrets from which the secrets of all endpoints are derived: the current one and the previous one. */
export type WebhookRoots = ReturnType<typeof toRoots>;

/**
 * Store of the root secrets, from which each endpoint's secret is derived. They are in an item of the table, which is created on first use.
 * docs/adr/0072-events-and-webhooks.md explains why they are not in AWS Secrets Manager.
 */
export const webhookRoots = {
  /** Reads or creates the root secrets. Concurrent callers share the root secret that was created first. */
  async read(): Promise<WebhookRoots> {
    const found = await getItem(keys.webhookRoots());
    if (found !== undefined) return toRoots(found);
    const { item } = await updateItem({
      key: keys.webhookRoots(),
      update: "SET #current = :new",
      condition: "attribute_not_exists(pk)",
      names: { "#current": "current" },
      values: { ":new": newRoot() },
    });
    return toRoots(item);
  },

  /** Rotates the root secret. The previous one stays valid until the next rotation. */
  async rotate(): Promise<WebhookRoots> {
    const { item } = await updateItem({
      key: keys.webhookRoots(),
      update: "SET #before = if_not_exists(#current, :new), #current = :new",
      condition: always,
      names: { "#current": "current", "#before": "before" },
      values: { ":new": newRoot() },
    });
    return toRoots(item);
  },
};

/**
 * Derives the secrets of an endpoint, in the format of Standard Webhooks: the current one, and the previous one if it exists. Each secret
 * is `whsec_` and the base64 of 32 bytes.
 */
export function secretsOf(
  { url }: Pick<WebhookEndpoint, "url">,
  { current, before }: WebhookRoots,
): string[] {
  const roots = before === undefined || before === current ? [current] : [current, before];
  return roots.map((root) => `whsec_${createHmac("sha256", root).update(`webhook ${url}`).digest("base64")}`);
}

function newRoot(): string {
  return randomBase62(randomInt, rootLength);
}

function toRoots(item: Item | undefined) {
  const { current, before } = item ?? {};
  if (typeof current !== "string" || current === "") {
    throw new Error("The item with the webhooks' secrets has no current secret.");
  }
  return { current, before: typeof before === "string" ? before : undefined };
}
