import { ApiError } from "../core/errors.ts";
import { parseQuery } from "../http/request.ts";
import type { Site } from "../http/site.ts";
import { type Client, findClient, isRedirectUriOf, redirectUriProblem } from "./client.ts";
import { describeOAuthError, invalidRequest, OAuthError, oauthCodeOf } from "./oauth-error.ts";
import { defaultScope, type OAuthScope } from "./schemas.ts";
import { readScope } from "./scopes.ts";

/** A client's authorization request (RFC 6749, section 4.1.1; RFC 7636, section 4.3). */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly codeChallenge: string;
  readonly scope: OAuthScope;
}

/** Path of the MCP server. OAuth tokens give access only to this resource (RFC 8707; RFC 9728, section 1.2). */
const resourcePath = "/mcp";

/** Pattern of a code challenge: a SHA-256 hash in base64url, because `S256` is the only supported method. */
const challengePattern = /^[A-Za-z0-9_-]{43}$/;

/**
 * Finds the client and the redirect URI of a request. Errors are shown in the browser and not sent to the redirect URI, because an
 * unchecked redirect URI may belong to an attacker (RFC 6749, section 4.1.2.1).
 *
 * @throws ApiError `invalid_arg`
 */
export async function findReturnAddress(query: string, nowMs: number): Promise<ReturnAddress> {
  const sent = parseQuery(query);
  const clientId = onlyValue(sent.client_id);
  if (clientId === undefined)
    throw notAsked(
      "The program that sent you here did not identify itself: client_id is missing or repeated. Programs register with POST /oauth/register.",
    );
  const client = await findClient(clientId, nowMs);
  if (client === undefined)
    throw notAsked(
      "The program that sent you here is not registered, or its registration expired. Remove the connection in the program and add it again. Programs register with POST /oauth/register; scripts sign in with POST /api/auth/start.",
    );
  const redirectUri = onlyValue(sent.redirect_uri);
  if (redirectUri === undefined)
    throw notAsked(
      "The program that sent you here did not say where to return: redirect_uri is missing or repeated.",
    );
  if (redirectUriProblem(redirectUri) !== undefined || !isRedirectUriOf(client.redirectUris, redirectUri))
    throw notAsked(
      "The program that sent you here asked to return to an address that it has not registered. Nothing was sent there.",
    );
  return { client, redirectUri, state: onlyValue(sent.state) };
}

/** Client that sent an authorization request, with the redirect URI and `state` for the response. */
export type ReturnAddress = Pick<AuthorizationRequest, "client" | "redirectUri" | "state">;

/** Parses an authorization request whose client and redirect URI are valid. @throws OAuthError, which is sent to the client */
export function parseAuthorizationRequest(
  query: string,
  to: ReturnAddress,
  site: Site,
): AuthorizationRequest {
  const sent = parseQuery(query);
  for (const [name, values] of Object.entries(sent)) {
    // A client may name several resources (RFC 8707, section 2).
    if (values.length > 1 && name !== "resource")
      // Quotes only a well-formed parameter name, because the message is shown on a page and the name may be any text.
      throw invalidRequest(
        `${/^[a-z_]{1,30}$/.test(name) ? name : "A parameter"} is given ${values.length} times; once is allowed.`,
      );
  }
  const only = (name: string) => onlyValue(sent[name]);
  if (only("response_type") === undefined) throw missing("response_type", "code");
  if (only("response_type") !== "code")
    throw new OAuthError("unsupported_response_type", "response_type must be code.");
  if ((only("response_mode") ?? "query") !== "query")
    throw invalidRequest("response_mode must be query or omitted.");
  const codeChallenge = only("code_challenge");
  if (codeChallenge === undefined) throw missing("code_challenge", "PKCE by S256");
  if (only("code_challenge_method") !== "S256") throw invalidRequest("code_challenge_method must be S256.");
  if (!challengePattern.test(codeChallenge))
    throw invalidRequest("code_challenge must be the SHA-256 of a verifier, in base64url.");
  requireResource(sent.resource ?? [], site);
  const scope = readScope(only("scope")) ?? to.client.scope ?? defaultScope;
  return { ...to, codeChallenge, scope };
}

/**
 * Refuses a `resource` that is not the MCP server (RFC 8707, section 2). Allows requests without `resource`, because older clients do not
 * send it.
 *
 * @throws OAuthError `invalid_target`
 */
export function requireResource(values: readonly string[], site: Site): void {
  const own = site.baseUrl + resourcePath;
  if (values.every((value) => withoutQuery(value) === new URL(own).href)) return;
  throw new OAuthError(
    "invalid_target",
    `resource must be ${own}, because tokens of this service are valid only there.`,
  );
}

/** Removes the query and the final slash from a resource's URL. The query is not part of the resource, because it only selects tools. */
function withoutQuery(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  url.search = "";
  return url.href.replace(/\/$/, "");
}

/** Builds the URL that redirects the browser to the client with a response (RFC 6749, section 4.1.2; RFC 9207, section 2). */
export function returnUrl(
  { redirectUri, state }: Omit<ReturnAddress, "client">,
  site: Site,
  response: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  // Appends to the query instead of parsing it, because the client's own parameters must stay unchanged.
  const parameters = new URLSearchParams({
    ...response,
    ...(state === undefined ? {} : { state }),
    iss: site.baseUrl,
  });
  url.search = url.search === "" ? `?${parameters}` : `${url.search}&${parameters}`;
  return url.href;
}

/** Builds the URL that redirects the browser to the client with an error. */
export function refusalUrl(to: Omit<ReturnAddress, "client">, site: Site, error: ApiError): string {
  const error_description = describeOAuthError(error);
  return returnUrl(to, site, { error: oauthCodeOf(error), error_description });
}

function onlyValue(values: readonly string[] | undefined): string | undefined {
  return values?.length === 1 && values[0] !== "" ? values[0] : undefined;
}

function missing(name: string, wanted: string): OAuthError {
  return invalidRequest(`${name} is missing: ${wanted} is required.`);
}

function notAsked(message: string): ApiError {
  return new ApiError("invalid_arg", { message });
}
