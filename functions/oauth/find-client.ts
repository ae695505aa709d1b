import type { Client } from "./client.ts";
import { fetchClientDocument, isDocumentUrl } from "./client-document.ts";
import { documentClients, registeredClients } from "./client-store.ts";

/**
 * The client of an id: one that has registered here, or one that says who it is at an address of its own, which is asked at most every
 * few minutes. Undefined where there is none.
 *
 * @throws ApiError `invalid_arg` where what is there cannot be used
 */
export async function findClient(id: string, nowMs: number): Promise<Client | undefined> {
  if (!isDocumentUrl(id)) return registeredClients.find(id, nowMs);
  const kept = await documentClients.find(id, nowMs);
  if (kept !== undefined) return kept;
  const client = { id, ...(await fetchClientDocument(id)) };
  await documentClients.keep(client, nowMs);
  return client;
}
