import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { PublicRequestError, type PublicResponse, requestPublicly } from "../http/public-request.ts";
import { countCodePoints, describe, mustBe } from "../http/schemas.ts";
import { createSeal, openSealed } from "../http/sealed-value.ts";
import { hashSecret } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { getItem, type Item } from "../table/table.ts";
import { transact } from "../table/table-writes.ts";
import { oauthLimits } from "./limits.ts";
import { OAuthError } from "./oauth-error.ts";
import { clientAuthMethod, defaultScope, type OAuthScope } from "./schemas.ts";
import { findScope } from "./scopes.ts";

/** Hosts of programs on the person's own machine (RFC 8252, section 7.3). Many clients send `localhost`. */
const loopbackHosts = new Set(["127.0.0.1", "[::1]", "localhost"]);

/**
 * Redirect URIs with a private-use scheme (RFC 8252, section 7.1), and the programs that register the schemes. Another program can claim a
 * scheme, so URIs must match exactly, and PKCE makes a stolen code useless. docs/mcp.md has the same list.
 */
export const privateUseRedirectUris: ReadonlyMap<string, string> = new Map([
  ["cursor://anysphere.cursor-mcp/oauth/callback", "Cursor"],
  ["grokbot://mcp/oauth/callback", "Grok Bot"],
]);

/** Matches a URI without a fragment (RFC 3986). The URI is sent in a header, so other characters are refused. */
const uriPattern = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;

/**
 * Describes the problem with a redirect URI. Returns undefined for a valid URI. To make sure that only the client receives codes, the URI
 * must use https or belong to a program on the person's machine (RFC 8252, sections 7.1 and 7.3; RFC 9700, section 2.6).
 */
export function redirectUriProblem(text: unknown): string | undefined {
  if (typeof text !== "string") return "is not a string";
  if (text.length > oauthLimits.redirectUriCharactersMax)
    return `has ${text.length} characters; at most ${oauthLimits.redirectUriCharactersMax} are allowed`;
  if (text.includes("#")) return "has a fragment, which is not allowed in a redirect URI";
  if (!uriPattern.test(text) || !URL.canParse(text)) return "is not an absolute URI";
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return "contains a user name or password";
  if (protocol === "https:" || (protocol === "http:" && loopbackHosts.has(hostname))) return undefined;
  if (privateUseRedirectUris.has(text)) return undefined;
  return `is not https, http on localhost, 127.0.0.1 or [::1], or one of ${[...privateUseRedirectUris.keys()].join(" and ")}`;
}

/** Checks whether a redirect URI is registered for the client. The port of a loopback URI is ignored. */
export function isRedirectUriOf(known: readonly string[], uri: string): boolean {
  return known.some(
    (one) => one === uri || (isLoopback(one) && isLoopback(uri) && portless(one) === portless(uri)),
  );
}

/** Recognizes a loopback URI. */
function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === "http:" && loopbackHosts.has(hostname);
}

/** Recognizes the redirect URI of a program on the person's own machine. Other redirect URIs belong to websites. */
export function isOnThisMachine(uri: string): boolean {
  return isLoopback(uri) || privateUseRedirectUris.has(uri);
}

/** Names the receiver of a redirect: the URI's host, or the program that registers the scheme. */
export function receiverOf(uri: string): string {
  return privateUseRedirectUris.get(uri) ?? new URL(uri).host;
}

/** Removes the port of a loopback URI. The program listens on any free port (RFC 8252, section 7.3). */
function portless(uri: string): string {
  const url = new URL(uri);
  url.port = "";
  return url.href;
}

/** A program that asks people for access. The program itself supplies this data, so it is unverified. */
export interface Client {
  readonly id: string;
  readonly name: string | null;
  readonly redirectUris: readonly string[];
  /** Scope of requests without a scope. @default - `defaultScope` */
  readonly scope?: OAuthScope | undefined;
}

/** Parts of a client's metadata that this server uses. */
export type ClientMetadata = Omit<Client, "id">;

/** Maximum number of problems in one error message. */
const problemsShownMax = 3;

/**
 * Reads a client's metadata (RFC 7591, section 2). Unknown fields and unsupported requests, such as a client secret, are ignored.
 * The response lists the metadata that applies.
 *
 * @throws OAuthError `invalid_client_metadata` or `invalid_redirect_uri`
 */
export function readClientMetadata(value: unknown): ClientMetadata {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(`The metadata ${mustBe("a JSON object", describe(value))}`);
  const { redirect_uris, client_name, response_types, grant_types, scope } = value as Record<string, unknown>;
  requireAmong("response_types", response_types, "code");
  requireAmong("grant_types", grant_types, "authorization_code");
  return {
    redirectUris: readRedirectUris(redirect_uris),
    name: readName(client_name),
    // Clients may register for scopes of other services too. Unknown names are ignored.
    scope: typeof scope === "string" ? findScope(scope) : undefined,
  };
}

/** Reads the redirect URIs and drops unacceptable ones. The response lists the accepted URIs (RFC 7591, section 3.2.1). */
function readRedirectUris(value: unknown): readonly string[] {
  const most = oauthLimits.redirectUrisPerClientMax;
  if (!Array.isArray(value) || value.length === 0)
    throw badRedirect("redirect_uris is required: send a list of the URIs that receive codes.");
  if (value.length > most)
    throw badRedirect(`redirect_uris has ${value.length} addresses; at most ${most} are allowed.`);
  const acceptable = value.filter((uri) => redirectUriProblem(uri) === undefined);
  if (acceptable.length === 0) {
    const problems = value.map((uri, index) => `redirect_uris[${index}] ${redirectUriProblem(uri)}.`);
    throw badRedirect(problems.slice(0, problemsShownMax).join(" "));
  }
  return [...new Set<string>(acceptable)];
}

function readName(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string" || !value.isWellFormed())
    throw invalid(`client_name ${mustBe("a string", describe(value))}`);
  // Removes characters that are invisible or overlap their neighbours.
  const name = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, "").trim();
  const most = limits.labelCodePointsMax;
  const characters = countCodePoints(name);
  if (characters > most)
    throw invalid(`client_name has ${characters} characters; at most ${most} are allowed.`);
  return name === "" ? null : name;
}

function requireAmong(name: string, value: unknown, needed: string): void {
  if (value === undefined) return;
  if (Array.isArray(value) && value.includes(needed)) return;
  throw invalid(
    `${name} must be a list with "${needed}" in it. A program without a browser does not register: POST /api/auth/start starts a sign-in by a code.`,
  );
}

function invalid(message: string): OAuthError {
  return new OAuthError("invalid_client_metadata", message);
}

function badRedirect(message: string): OAuthError {
  return new OAuthError("invalid_redirect_uri", message);
}

/** Recognizes a client id that is the URL of the client's metadata document. */
export function isDocumentUrl(clientId: string): boolean {
  if (clientId.length > oauthLimits.redirectUriCharactersMax || !URL.canParse(clientId)) return false;
  const { protocol, port, pathname, hash, username, password, href } = new URL(clientId);
  // Requires the canonical spelling, so that people see exactly the URL that is fetched.
  const isPlain =
    href === clientId && hash === "" && !clientId.includes("#") && username === "" && password === "";
  return protocol === "https:" && port === "" && pathname !== "/" && isPlain;
}

/**
 * Fetches a client's metadata document over https from the public internet (OAuth Client ID Metadata Document, sections 4 and 6.5).
 * Follows no redirects, and limits time and size. The host name is resolved once, and the connection uses the checked IP address.
 *
 * @throws ApiError `invalid_arg` for an unusable document; OAuthError for invalid metadata
 */
export async function fetchClientDocument(url: string): Promise<ClientMetadata> {
  const value = parse(await fetchText(new URL(url)));
  const { client_id, token_endpoint_auth_method, client_secret } = value as Record<string, unknown>;
  if (client_id !== url) throw unusable("its client_id differs from its URL");
  if (client_secret !== undefined) throw unusable("it contains a secret, which is now public");
  if ((token_endpoint_auth_method ?? clientAuthMethod) !== clientAuthMethod)
    throw unusable(`its token_endpoint_auth_method is not "${clientAuthMethod}", the only supported method`);
  return readClientMetadata(value);
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Invalid JSON is refused below, like JSON that is not an object.
  }
  throw unusable("it is not a JSON object");
}

async function fetchText(url: URL): Promise<string> {
  const { status, headers, body } = await fetchDocument(url);
  if (status !== 200) throw unusable(`the response has the status ${status}, not 200`);
  if (!/^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    throw unusable("its Content-Type is not JSON");
  if (body === undefined) throw unusable(`it is larger than ${oauthLimits.clientMetadataBytesMax} bytes`);
  return body.toString("utf8");
}

async function fetchDocument(url: URL): Promise<PublicResponse> {
  try {
    return await requestPublicly(url, {
      method: "GET",
      headers: { accept: "application/json", "user-agent": "Dropleaf" },
      timeoutMs: oauthLimits.clientDocumentMs,
      responseBytesMax: oauthLimits.clientMetadataBytesMax,
    });
  } catch (error) {
    const isNotPublic = error instanceof PublicRequestError && error.why === "not-public";
    throw unusable(isNotPublic ? "its address is not on the public internet" : "it cannot be reached", error);
  }
}

function unusable(why: string, cause?: unknown): ApiError {
  return new ApiError("invalid_arg", {
    message: `The description of the program that sent you here cannot be used: ${why}.`,
    cause,
  });
}

const purpose = "oauth-client-id";

/** Pattern of a sealed client id. The maximum length allows for the longest name and `oauthLimits.redirectUrisCharactersMax`. */
const clientIdPattern = /^[A-Za-z0-9_-]{40,2048}$/;

/** Creates the id of a client that registers itself. The id contains the client's metadata, encrypted, so nothing is stored. */
export async function sealClientId({ name, redirectUris, scope }: ClientMetadata): Promise<string> {
  const seal = await createSeal(purpose);
  const scopes = scope === undefined || scope === defaultScope ? [] : [scope];
  return seal(JSON.stringify([name, redirectUris, ...scopes]), []);
}

/** Reads the metadata in a client id. Returns undefined if this service did not issue the id, or no longer has the key that sealed it. */
export async function openClientId(id: string): Promise<Client | undefined> {
  const text = clientIdPattern.test(id) ? await openSealed(purpose, id, []) : undefined;
  if (text === undefined) return undefined;
  const [name, redirectUris, scope] = JSON.parse(text) as [string | null, string[], OAuthScope?];
  return { id, name, redirectUris, scope };
}

/** Checks a client id without fetching a document. A valid id is a document URL, or was issued by this service and has not expired. */
export async function isClientId(id: string): Promise<boolean> {
  return isDocumentUrl(id) || (await openClientId(id)) !== undefined;
}

const msPerSecond = 1000;

/** Cached metadata documents of clients. */
export const documentClients = {
  /** Finds the cached client whose id is this URL. Returns undefined if its metadata was not fetched recently. */
  async find(id: string, nowMs: number): Promise<Client | undefined> {
    return toClient(id, await getItem(keys.clientDocument(hashSecret(id))), nowMs);
  },

  async keep({ id, name, redirectUris, scope }: Client, nowMs: number): Promise<void> {
    const expiresAtMs = nowMs + oauthLimits.clientDocumentKeptSeconds * msPerSecond;
    const ttl = Math.ceil(expiresAtMs / msPerSecond);
    await transact([
      { put: { ...keys.clientDocument(hashSecret(id)), name, redirectUris, scope, expiresAtMs, ttl } },
    ]);
  },
};

function toClient(id: string, item: Item | undefined, nowMs: number): Client | undefined {
  if (item === undefined || (item.expiresAtMs as number) <= nowMs) return undefined;
  const { name, redirectUris, scope } = item as Item & Omit<Client, "id">;
  return { id, name, redirectUris, scope };
}

/**
 * Finds a client by its id. A registered id contains the metadata. Any other id is the URL of a document with the metadata. Fetched
 * documents are cached for a few minutes. Returns undefined for an unknown client.
 *
 * @throws ApiError `invalid_arg` if the document cannot be used
 */
export async function findClient(id: string, nowMs: number): Promise<Client | undefined> {
  if (!isDocumentUrl(id)) return openClientId(id);
  const kept = await documentClients.find(id, nowMs);
  if (kept !== undefined) return kept;
  const client = { id, ...(await fetchClientDocument(id)) };
  await documentClients.keep(client, nowMs);
  return client;
}
