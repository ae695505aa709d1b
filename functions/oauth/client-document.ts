import { ApiError } from "../platform/errors.ts";
import { PublicRequestError, type PublicResponse, requestPublicly } from "../platform/public-request.ts";
import { type ClientMetadata, readClientMetadata } from "./client.ts";
import { oauthLimits } from "./limits.ts";
import { clientAuthMethod } from "./schemas.ts";

/** Of what a client is called, and where its codes go, it says itself at an address that is its id. */
export function isDocumentUrl(clientId: string): boolean {
  if (clientId.length > oauthLimits.redirectUriCharactersMax || !URL.canParse(clientId)) return false;
  const { protocol, port, pathname, hash, username, password, href } = new URL(clientId);
  // One spelling, so that the id that people see is the address that is asked.
  const isPlain =
    href === clientId && hash === "" && !clientId.includes("#") && username === "" && password === "";
  return protocol === "https:" && port === "" && pathname !== "/" && isPlain;
}

/**
 * Fetches a client's metadata document: over https, from the public internet, by no redirect, bounded in time and size
 * (OAuth Client ID Metadata Document, sections 4 and 6.5). The address that is connected to is the one that was judged: what
 * a name leads to is looked up once, and a second look is at the connection itself.
 *
 * @throws ApiError `invalid_arg`, with what is wrong; OAuthError
 */
export async function fetchClientDocument(url: string): Promise<ClientMetadata> {
  const value = parse(await fetchText(new URL(url)));
  const { client_id, token_endpoint_auth_method, client_secret } = value as Record<string, unknown>;
  if (client_id !== url) throw unusable("its client_id is another than its own address");
  if (client_secret !== undefined) throw unusable("it has a secret in it, which is none any more");
  if ((token_endpoint_auth_method ?? clientAuthMethod) !== clientAuthMethod)
    throw unusable(`its token_endpoint_auth_method is not "${clientAuthMethod}", which is the only one here`);
  return readClientMetadata(value);
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // As of what is JSON and no object.
  }
  throw unusable("it is no JSON object");
}

async function fetchText(url: URL): Promise<string> {
  const { status, headers, body } = await askFor(url);
  if (status !== 200) throw unusable(`it was answered with ${status}, not 200`);
  if (!/^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    throw unusable("it is not JSON by its Content-Type");
  if (body === undefined) throw unusable(`it is larger than ${oauthLimits.clientMetadataBytesMax} bytes`);
  return body.toString("utf8");
}

async function askFor(url: URL): Promise<PublicResponse> {
  try {
    return await requestPublicly(url, {
      method: "GET",
      headers: { accept: "application/json", "user-agent": "Dropleaf" },
      timeoutMs: oauthLimits.clientDocumentMs,
      responseBytesMax: oauthLimits.clientMetadataBytesMax,
    });
  } catch (error) {
    const isNotPublic = error instanceof PublicRequestError && error.why === "not-public";
    throw unusable(
      isNotPublic ? "its address is not one of the public internet" : "it cannot be reached",
      error,
    );
  }
}

function unusable(why: string, cause?: unknown): ApiError {
  return new ApiError("invalid_arg", {
    message: `The program that sent you here says of itself who it is, but that cannot be used: ${why}.`,
    cause,
  });
}
