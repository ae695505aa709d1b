import * as z from "zod/mini";
import type { Client } from "./client.ts";
import { key } from "./fields.ts";

/** Revokes the client's token at the service. */
export async function revokeToken(client: Client): Promise<void> {
  const { result } = await client.call("/api/me", z.object({ token: z.object({ id: key }) }));
  await client.send(`/api/tokens/${result.token.id}`, { method: "DELETE" });
}
