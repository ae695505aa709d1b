import * as oauth from "oauth4webapi";
import { expect } from "vitest";
import { baseUrl, fetchPage } from "./http.ts";
import { formRequest } from "./own-pages.ts";
import { fieldsOf } from "./page-forms.ts";
import { enterUsername } from "./sign-in.ts";
import { type Visit, Visitor } from "./visitor.ts";

/** A client's redirect URI on this machine. Nothing listens there. */
export const callback = "http://127.0.0.1:9/callback";

const consentPath = "/oauth/authorize";

/** The library's options: plain http, as the service runs here, and this test file's address. */
export const overHttp = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: fetchAsTest,
} as const;

async function fetchAsTest(
  url: string,
  { method, headers, body }: { method?: string; headers: Record<string, string>; body?: unknown },
): Promise<Response> {
  const sent = body === undefined || body === null ? {} : { body: String(body) };
  const {
    status,
    headers: received,
    text,
  } = await fetchPage(url, { method: method ?? "GET", headers, ...sent });
  return new Response(status === 204 ? null : text, { status, headers: { ...received } });
}

/** Discovers the authorization server from the MCP server's URL, as clients do. */
export async function discover(): Promise<oauth.AuthorizationServer> {
  const resource = new URL("/mcp", baseUrl());
  const found = await oauth.resourceDiscoveryRequest(resource, overHttp);
  const { authorization_servers: [issuer = ""] = [] } = await oauth.processResourceDiscoveryResponse(
    resource,
    found,
  );
  const response = await oauth.discoveryRequest(new URL(issuer), { ...overHttp, algorithm: "oauth2" });
  return oauth.processDiscoveryResponse(new URL(issuer), response);
}

/** Registers a client. */
export async function registerClient(
  server: oauth.AuthorizationServer,
  metadata: Readonly<Record<string, oauth.JsonValue>> = {},
): Promise<oauth.Client> {
  const sent = { client_name: "A test client", redirect_uris: [callback], ...metadata };
  const response = await oauth.dynamicClientRegistrationRequest(server, sent, overHttp);
  return oauth.processDynamicClientRegistrationResponse(response);
}

/** An authorization request, and the secrets that the client keeps until the redirect. */
export interface StartedAuthorization {
  readonly url: URL;
  readonly codeVerifier: string;
  readonly state: string;
}

/** Starts an authorization as a client does. `changes` replace or remove its parameters. */
export async function startAuthorization(
  client: oauth.Client,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<StartedAuthorization> {
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const parameters = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: callback,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    resource: `${baseUrl()}/mcp`,
    ...changes,
  };
  const url = new URL(consentPath, baseUrl());
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return { url, codeVerifier, state };
}

/** Opens a client's authorization request, signs in if necessary, and returns the consent page. */
export async function openConsent(url: URL, username: string, visitor: Visitor): Promise<Visit> {
  const first = await visitor.open(url);
  return first.url.pathname === consentPath ? first : enterUsername(visitor, first, username);
}

/** Presses a button of the page as a browser does. Does not follow the redirect to the client. */
export function decide(
  visitor: Visitor,
  page: Visit,
  decision: "allow" | "deny",
  chosen: Readonly<Record<string, string>> = {},
): Promise<Visit> {
  const body = new URLSearchParams({ ...fieldsOf(page, consentPath), ...chosen, decision }).toString();
  return visitor.request(consentPath, formRequest(page.url, body));
}

/** Returns the location of a redirect. */
export function locationOf({ response }: Visit): URL {
  expect([302, 303]).toContain(response.status);
  return new URL(response.headers.location ?? "");
}

/** Tokens and session of an authorized client. */
export interface Connection {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly tokens: oauth.TokenEndpointResponse;
  /** Parameters of the token request. */
  readonly redemption: Readonly<Record<string, string>>;
}

/** Connects a client through the whole flow: registration, consent and tokens. */
export async function connect(
  username: string,
  metadata: Readonly<Record<string, oauth.JsonValue>> = {},
  visitor = new Visitor(),
  asked: Readonly<Record<string, string>> = {},
): Promise<Connection> {
  const server = await discover();
  const client = await registerClient(server, metadata);
  const started = await startAuthorization(client, asked);
  const decided = await decide(visitor, await openConsent(started.url, username, visitor), "allow");
  const redeemed = await redeem({ server, client, started }, decided, { resource: `${baseUrl()}/mcp` });
  return { server, client, ...redeemed };
}

/** Exchanges the authorization code for tokens. */
export async function redeem(
  {
    server,
    client,
    started: { codeVerifier, state },
  }: Pick<Connection, "server" | "client"> & { readonly started: StartedAuthorization },
  decided: Visit,
  more: Readonly<Record<string, string>> = {},
): Promise<Pick<Connection, "tokens" | "redemption">> {
  const parameters = oauth.validateAuthResponse(server, client, locationOf(decided), state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    callback,
    codeVerifier,
    { ...overHttp, additionalParameters: more },
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
  const redemption = {
    grant_type: "authorization_code",
    client_id: client.client_id,
    code: parameters.get("code") ?? "",
    redirect_uri: callback,
    code_verifier: codeVerifier,
  };
  return { tokens, redemption };
}

/** Sends a form to one of the endpoints unchanged. */
export async function sendTo(
  endpoint: "token" | "revoke",
  fields: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
) {
  const body = typeof fields === "string" ? fields : new URLSearchParams(fields).toString();
  const response = await fetchPage(`/oauth/${endpoint}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body,
  });
  return { ...response, json: JSON.parse(response.text) as Record<string, unknown> };
}

/** Refreshes the tokens of a connection. */
export function refresh(
  { client, tokens }: Pick<Connection, "client" | "tokens">,
  more: Readonly<Record<string, string>> = {},
) {
  const { refresh_token = "" } = tokens;
  return sendTo("token", {
    grant_type: "refresh_token",
    client_id: client.client_id,
    refresh_token,
    ...more,
  });
}
