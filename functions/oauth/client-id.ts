import { createSeal, openSealed } from "../platform/sealed-value.ts";
import type { Client, ClientMetadata } from "./client.ts";
import { isDocumentUrl } from "./client-document.ts";

const purpose = "oauth-client-id";

/** The bound that `oauthLimits.redirectUrisCharactersMax` and the longest name keep to. */
const clientIdPattern = /^[A-Za-z0-9_-]{40,2048}$/;

/** Makes the id of a client that registers itself: its metadata, sealed. Nothing is stored. */
export async function sealClientId({ name, redirectUris }: ClientMetadata): Promise<string> {
  const seal = await createSeal(purpose);
  return seal(JSON.stringify([name, redirectUris]), []);
}

/** Reads the client in an id; undefined for an id that this service has not given, or that has expired by rotations of the key. */
export async function openClientId(id: string): Promise<Client | undefined> {
  const text = clientIdPattern.test(id) ? await openSealed(purpose, id, []) : undefined;
  if (text === undefined) return undefined;
  const [name, redirectUris] = JSON.parse(text) as [string | null, string[]];
  return { id, name, redirectUris };
}

/** Checks the id alone: an address of the client's own, or an id that this service has given and that has not expired. */
export async function isClientId(id: string): Promise<boolean> {
  return isDocumentUrl(id) || (await openClientId(id)) !== undefined;
}
