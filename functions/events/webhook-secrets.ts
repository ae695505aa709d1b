import { createHmac, randomInt } from "node:crypto";
import { randomBase62 } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { getItem, type Item } from "../table/table.ts";
import { updateItem } from "../table/table-writes.ts";
import type { WebhookEndpoint } from "./webhook.ts";

/** 64 of 62 letters: 381 bits. */
const rootLength = 64;

/** Root secrets from which the secrets of all addresses are derived: the current one and the previous one. */
export type WebhookRoots = ReturnType<typeof toRoots>;

/**
 * The stack's webhook secret, from which each address's secret is derived: an item of the table, created on first use.
 * docs/adr/0072-events-and-webhooks.md explains why it is not in AWS Secrets Manager.
 */
export const webhookRoots = {
  /** Reads or creates the roots. Concurrent callers share the first that was created. */
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

  /** Rotates the secret; the previous one stays valid until the next rotation. */
  async rotate(): Promise<WebhookRoots> {
    const { item } = await updateItem({
      key: keys.webhookRoots(),
      update: "SET #before = if_not_exists(#current, :new), #current = :new",
      // The item may not exist yet.
      condition: "attribute_exists(pk) OR attribute_not_exists(pk)",
      names: { "#current": "current", "#before": "before" },
      values: { ":new": newRoot() },
    });
    return toRoots(item);
  },
};

/**
 * The secrets of an address, in the form of Standard Webhooks: the current one, and the previous one if it exists. Each is
 * `whsec_` and the base64 of 32 bytes.
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
