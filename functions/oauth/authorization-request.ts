import { ApiError } from "../core/errors.ts";
import { parseQuery } from "../http/request.ts";
import type { Site } from "../http/site.ts";
import { type Client, findClient, isRedirectUriOf, redirectUriProblem } from "./client.ts";
import { describeOAuthError, OAuthError, oauthCodeOf } from "./oauth-error.ts";
import { defaultScope, type OAuthScope } from "./schemas.ts";
import { readScope } from "./scopes.ts";

/** Authorization request of a client (RFC 6749, section 4.1.1; RFC 7636, section 4.3). */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly codeChallenge: string;
  readonly scope: OAuthScope;
}

/** Path of the MCP server, the resource of all tokens here (RFC 8707; RFC 9728, section 1.2). */
const resourcePath = "/mcp";

/** SHA-256 in base64url: the only method. */
const challengePattern = /^[A-Za-z0-9_-]{43}$/;

/**
 * Finds the client's redirect URI for the response. Earlier errors are shown in the browser only, since the URI may belong to anyone (RFC
 * 6749, section 4.1.2.1).
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

/** A known client, and a redirect URI of its own. */
export type ReturnAddress = Pick<AuthorizationRequest, "client" | "redirectUri" | "state">;

/**
 * Parses the rest of an authorization request.
 *
 * @throws OAuthError for the client
 */
export function parseAuthorizationRequest(
  query: string,
  to: ReturnAddress,
  site: Site,
): AuthorizationRequest {
  const sent = parseQuery(query);
  for (const [name, values] of Object.entries(sent)) {
    // RFC 8707, section 2: a client may name several resources.
    if (values.length > 1 && name !== "resource")
      throw new OAuthError(
        "invalid_request",
        // The name may be a sentence from its sender, and the message is shown on a page.
        `${/^[a-z_]{1,30}$/.test(name) ? name : "A parameter"} is given ${values.length} times; once is allowed.`,
      );
  }
  const only = (name: string) => onlyValue(sent[name]);
  if (only("response_type") === undefined) throw missing("response_type", "code");
  if (only("response_type") !== "code")
    throw new OAuthError("unsupported_response_type", "response_type must be code.");
  if ((only("response_mode") ?? "query") !== "query")
    throw new OAuthError("invalid_request", "response_mode must be query, or left out.");
  const codeChallenge = only("code_challenge");
  if (codeChallenge === undefined) throw missing("code_challenge", "PKCE by S256");
  if (only("code_challenge_method") !== "S256")
    throw new OAuthError("invalid_request", "code_challenge_method must be S256.");
  if (!challengePattern.test(codeChallenge))
    throw new OAuthError(
      "invalid_request",
      "code_challenge must be the SHA-256 of a verifier, in base64url.",
    );
  requireResource(sent.resource ?? [], site);
  const scope = readScope(only("scope")) ?? to.client.scope ?? defaultScope;
  return { ...to, codeChallenge, scope };
}

/**
 * Refuses requests for any other resource (RFC 8707, section 2). Older clients do not name one.
 *
 * @throws OAuthError `invalid_target`
 */
export function requireResource(values: readonly string[], site: Site): void {
  const own = site.baseUrl + resourcePath;
  if (values.every((value) => withoutQuery(value) === new URL(own).href)) return;
  throw new OAuthError(
    "invalid_target",
    `resource must be ${own}: tokens of this service are valid only there.`,
  );
}

/** The address of a resource without the query that selects the list of tools, and without a final slash. */
function withoutQuery(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  url.search = "";
  return url.href.replace(/\/$/, "");
}

/** The address to which the browser sends the response to a request (RFC 6749, section 4.1.2; RFC 9207, section 2). */
export function returnUrl(
  { redirectUri, state }: Omit<ReturnAddress, "client">,
  site: Site,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  // The address's own parameters belong to the client and stay as they were written.
  const parameters = new URLSearchParams({
    ...answer,
    ...(state === undefined ? {} : { state }),
    iss: site.baseUrl,
  });
  url.search = url.search === "" ? `?${parameters}` : `${url.search}&${parameters}`;
  return url.href;
}

/** The address for a refusal. */
export function refusalUrl(to: Omit<ReturnAddress, "client">, site: Site, error: ApiError): string {
  const error_description = describeOAuthError(error);
  return returnUrl(to, site, { error: oauthCodeOf(error), error_description });
}

function onlyValue(values: readonly string[] | undefined): string | undefined {
  return values?.length === 1 && values[0] !== "" ? values[0] : undefined;
}

function missing(name: string, wanted: string): OAuthError {
  return new OAuthError("invalid_request", `${name} is missing: ${wanted} is required.`);
}

function notAsked(message: string): ApiError {
  return new ApiError("invalid_arg", { message });
}
