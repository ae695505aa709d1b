import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { PublicRequestError, type PublicResponse, requestPublicly } from "../core/public-request.ts";
import { countCodePoints, describe, mustBe } from "../http/schemas.ts";
import { hashSecret } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { createSeal, openSealed } from "../table/sealed-value.ts";
import { getItem, type Item } from "../table/table.ts";
import { transact } from "../table/table-writes.ts";
import { oauthLimits } from "./limits.ts";
import { OAuthError } from "./oauth-error.ts";
import { clientAuthMethod, defaultScope, type OAuthScope } from "./schemas.ts";
import { findScope } from "./scopes.ts";

/** Hosts for redirects to a program on the person's machine (RFC 8252, section 7.3). Many clients send `localhost`. */
const loopbackHosts = new Set(["127.0.0.1", "[::1]", "localhost"]);

/**
 * Allowed redirect URIs with a private-use scheme (RFC 8252, section 7.1), with the program that registers each scheme. Another program may
 * register the same scheme, but PKCE makes a stolen code useless. docs/mcp.md has the same list.
 */
export const privateUseRedirectUris: ReadonlyMap<string, string> = new Map([
  ["cursor://anysphere.cursor-mcp/oauth/callback", "Cursor"],
  ["grokbot://mcp/oauth/callback", "Grok Bot"],
]);

/** Pattern of a URI without a fragment (RFC 3986). Refuses all other characters, because the URI is sent in a response header. */
const uriPattern = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;

/**
 * Describes the problem with a redirect URI. Returns undefined for a valid URI. The URI must use https or belong to a program on the
 * person's machine, so that no one else receives the code (RFC 8252, sections 7.1 and 7.3; RFC 9700, section 2.6).
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
  return `must use https, or http on localhost, 127.0.0.1 or [::1], or be one of ${[...privateUseRedirectUris.keys()].join(" and ")}`;
}

/** Checks whether a redirect URI is registered for the client. The port of a loopback URI is ignored. */
export function isRedirectUriOf(known: readonly string[], uri: string): boolean {
  return known.some(
    (one) => one === uri || (isLoopback(one) && isLoopback(uri) && portless(one) === portless(uri)),
  );
}

/** Checks whether a redirect URI uses HTTP to a loopback host. */
function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === "http:" && loopbackHosts.has(hostname);
}

/** Recognizes a redirect URI that leads to a program on the person's machine and not to a website. */
export function isOnThisMachine(uri: string): boolean {
  return isLoopback(uri) || privateUseRedirectUris.has(uri);
}

/** Names the receiver of a redirect: the URI's host, or the program that registers the scheme. */
export function receiverOf(uri: string): string {
  return privateUseRedirectUris.get(uri) ?? new URL(uri).host;
}

/** Removes the port of a loopback URI, because the program may listen on any free port (RFC 8252, section 7.3). */
function portless(uri: string): string {
  const url = new URL(uri);
  url.port = "";
  return url.href;
}

/** A program that asks people for access. All data is unverified, because the program itself supplies it. */
export interface Client {
  readonly id: string;
  readonly name: string | null;
  readonly redirectUris: readonly string[];
  /** Scope of the client's requests that name no scope. @default - `defaultScope` */
  readonly scope?: OAuthScope | undefined;
}

/** Client metadata that this server uses. */
export type ClientMetadata = Omit<Client, "id">;

/** Maximum number of problems in one error message. */
const problemsShownMax = 3;

/**
 * Reads a client's metadata (RFC 7591, section 2). Ignores unknown fields and requests for unsupported features, such as a client secret.
 * The response to the client lists the metadata that applies.
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
    // Ignores unknown scopes, because clients may also list other services' scopes.
    scope: typeof scope === "string" ? findScope(scope) : undefined,
  };
}

/** Reads the redirect URIs, and ignores invalid ones if at least one is valid, as RFC 7591, section 3.2.1, allows. */
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
  // Removes invisible characters, and combining characters that would cover the text beside them.
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
  // Requires the URL in its normalized form, so that people see exactly the URL that is fetched.
  const isPlain =
    href === clientId && hash === "" && !clientId.includes("#") && username === "" && password === "";
  return protocol === "https:" && port === "" && pathname !== "/" && isPlain;
}

/**
 * Fetches a client's metadata document over https from the public internet (OAuth Client ID Metadata Document, sections 4 and 6.5). Follows
 * no redirects, and limits time and size. Resolves the host name only once, so that the connection uses the IP address that was checked.
 *
 * @throws ApiError `invalid_arg` for an unusable document; OAuthError for invalid metadata
 */
async function fetchClientDocument(url: string): Promise<ClientMetadata> {
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

/** Pattern of an encrypted client id. Long enough for the longest name and `oauthLimits.redirectUrisCharactersMax` characters of URIs. */
const clientIdPattern = /^[A-Za-z0-9_-]{40,2048}$/;

/** Creates the id of a client that registers itself. The id contains the client's encrypted metadata, so the service stores nothing. */
export async function sealClientId({ name, redirectUris, scope }: ClientMetadata): Promise<string> {
  const seal = await createSeal(purpose);
  const scopes = scope === undefined || scope === defaultScope ? [] : [scope];
  return seal(JSON.stringify([name, redirectUris, ...scopes]), []);
}

/** Decrypts the metadata in a client id. Returns undefined if this service did not issue the id, or no longer has its encryption key. */
export async function openClientId(id: string): Promise<Client | undefined> {
  const text = clientIdPattern.test(id) ? await openSealed(purpose, id, []) : undefined;
  if (text === undefined) return undefined;
  const [name, redirectUris, scope] = JSON.parse(text) as [string | null, string[], OAuthScope?];
  return { id, name, redirectUris, scope };
}

/** Checks a client id without fetching a document. Accepts every URL of a metadata document, and unexpired ids that this service issued. */
export async function isClientId(id: string): Promise<boolean> {
  return isDocumentUrl(id) || (await openClientId(id)) !== undefined;
}

/** Cached metadata documents of clients. */
const documentClients = {
  /** Finds the cached client with the given URL as its id. Returns undefined if the metadata document was not fetched recently. */
  async find(id: string, nowMs: number): Promise<Client | undefined> {
    const item = await getItem(keys.clientDocument(hashSecret(id)));
    if (item === undefined || (item.expiresAtMs as number) <= nowMs) return undefined;
    const { name, redirectUris, scope } = item as Item & ClientMetadata;
    return { id, name, redirectUris, scope };
  },

  async store({ id, name, redirectUris, scope }: Client, nowMs: number): Promise<void> {
    const expiresAtMs = nowMs + oauthLimits.clientDocumentKeptSeconds * 1000;
    const ttl = Math.ceil(expiresAtMs / 1000);
    await transact([
      { put: { ...keys.clientDocument(hashSecret(id)), name, redirectUris, scope, expiresAtMs, ttl } },
    ]);
  },
};

/**
 * Finds a client by its id. The id contains the client's metadata, or is the URL of a document with the metadata. Documents are cached for
 * a few minutes. Returns undefined for an unknown client.
 *
 * @throws ApiError `invalid_arg` if the document cannot be used
 */
export async function findClient(id: string, nowMs: number): Promise<Client | undefined> {
  if (!isDocumentUrl(id)) return openClientId(id);
  const cached = await documentClients.find(id, nowMs);
  if (cached !== undefined) return cached;
  const client = { id, ...(await fetchClientDocument(id)) };
  await documentClients.store(client, nowMs);
  return client;
}
