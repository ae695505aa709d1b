import { keys } from "../platform/keys.ts";
import { getItem, type Item } from "../platform/table.ts";
import { transact } from "../platform/table-writes.ts";
import { hashSecret } from "../platform/token.ts";
import type { Client } from "./client.ts";
import { oauthLimits } from "./limits.ts";

const msPerSecond = 1000;

/** What clients say of themselves at addresses of their own, for as long as it is believed. */
export const documentClients = {
  /** The client of an address; undefined where it was not asked lately. */
  async find(id: string, nowMs: number): Promise<Client | undefined> {
    return toClient(id, await getItem(keys.clientDocument(hashSecret(id))), nowMs);
  },

  async keep({ id, name, redirectUris }: Client, nowMs: number): Promise<void> {
    const expiresAtMs = nowMs + oauthLimits.clientDocumentKeptSeconds * msPerSecond;
    const ttl = Math.ceil(expiresAtMs / msPerSecond);
    await transact([
      { put: { ...keys.clientDocument(hashSecret(id)), name, redirectUris, expiresAtMs, ttl } },
    ]);
  },
};

function toClient(id: string, item: Item | undefined, nowMs: number): Client | undefined {
  if (item === undefined || (item.expiresAtMs as number) <= nowMs) return undefined;
  return { id, name: item.name as string | null, redirectUris: item.redirectUris as string[] };
}
