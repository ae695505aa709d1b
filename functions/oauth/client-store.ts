import { keys } from "../platform/keys.ts";
import { getItem, type Item } from "../platform/table.ts";
import { type TransactionWrite, transact } from "../platform/table-writes.ts";
import { hashSecret } from "../platform/token.ts";
import type { Client } from "./client.ts";
import { oauthLimits } from "./limits.ts";

const secondsPerDay = 24 * 60 * 60;
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

/** What an id is that this service has given. */
const registeredId = /^[0-9A-Za-z]{22}$/;

/** Clients that have registered themselves. Expiry is looked at each time; TTL only tidies up. */
export const registeredClients = {
  /** Stores a client of which nobody has heard yet. */
  async insert({ id, name, redirectUris }: Client, nowMs: number): Promise<void> {
    const expiresAtMs = nowMs + oauthLimits.unusedClientDays * secondsPerDay * msPerSecond;
    const ttl = Math.ceil(expiresAtMs / msPerSecond);
    const { committed } = await transact([
      {
        put: { ...keys.client(id), name, redirectUris, createdAtMs: nowMs, expiresAtMs, ttl },
        condition: "attribute_not_exists(pk)",
      },
    ]);
    if (!committed) throw new Error("A client of this id was there already.");
  },

  /** The client of an id; undefined where there is none, or none any more. */
  async find(id: string, nowMs: number): Promise<Client | undefined> {
    if (!registeredId.test(id)) return undefined;
    return toClient(id, await getItem(keys.client(id)), nowMs);
  },

  /** The write that keeps a client somebody lets in. */
  use(id: string, nowMs: number): TransactionWrite {
    const expiresAtMs = nowMs + oauthLimits.usedClientDays * secondsPerDay * msPerSecond;
    return {
      key: keys.client(id),
      update: "SET expiresAtMs = :expiresAtMs, #ttl = :ttl",
      condition: "attribute_exists(pk)",
      names: { "#ttl": "ttl" },
      values: { ":expiresAtMs": expiresAtMs, ":ttl": Math.ceil(expiresAtMs / msPerSecond) },
    };
  },
};

function toClient(id: string, item: Item | undefined, nowMs: number): Client | undefined {
  if (item === undefined || (item.expiresAtMs as number) <= nowMs) return undefined;
  return { id, name: item.name as string | null, redirectUris: item.redirectUris as string[] };
}
