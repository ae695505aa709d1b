import { generateKeyPair, randomBytes } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { Provider, type RequestContext } from "oidc-provider";
import { createMemoryAdapter } from "oidc-provider/lib/adapters/memory_adapter.js";

import { renderFailurePage, renderSignInPage } from "./sign-in-page.ts";

/** Client id and secret of the service at the identity provider. */
export interface IdentityProviderClient {
  readonly id: string;
  readonly secret: string;
}

/** Options of `createProvider`. */
export interface ProviderOptions {
  /** Address of the provider, which is also its issuer. */
  readonly address: string;
  readonly client: IdentityProviderClient;
  /** Address of the service. */
  readonly serviceAddress: string;
  readonly log: (line: string) => void;
}

const scope = "openid profile email";
const bodyBytesMax = 4096;

/** Creates the provider with new keys. */
export async function createProvider(options: ProviderOptions): Promise<RequestListener> {
  const { address, client, serviceAddress, log } = options;
  const facts = new Map<string, Facts>();
  const provider = new Provider(address, await configuration(client, serviceAddress, facts));
  provider.on("server_error", (_context, error) => log(`Identity provider: ${error.stack ?? error.message}`));
  const answer = provider.callback();
  return (request, response) => {
    forgetSession(request);
    const isInteraction = /^\/interaction\/[\w-]+$/.test(request.url ?? "");
    if (isInteraction) void signIn({ provider, facts, log }, request, response);
    else answer(request, response);
  };
}

async function configuration(
  client: IdentityProviderClient,
  serviceAddress: string,
  facts: ReadonlyMap<string, Facts>,
): Promise<object> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  return {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${serviceAddress}/api/auth/idp/callback`],
        grant_types: ["authorization_code"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "local", use: "sig", alg: "RS256" }] },
    cookies: { keys: [randomBytes(32).toString("hex")] },
    scopes: ["openid", "profile", "email"],
    claims: {
      openid: ["sub"],
      profile: ["preferred_username", "name", "groups"],
      email: ["email", "email_verified"],
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ ...claimsOf(accountId), ...facts.get(accountId) }),
    }),
    loadExistingGrant: grantEverything,
    clientBasedCORS: () => false,
    renderError(
      context: RequestContext & { type: string },
      out: { error: string; error_description?: string },
    ) {
      context.type = "html";
      context.body = renderFailurePage(out.error_description ?? out.error);
    },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 3600,
      Session: 3600,
    },
  };
}

/** Removes the provider's session cookie from a request, so that every sign-in asks for a name. */
function forgetSession(request: IncomingMessage): void {
  const cookies = (request.headers.cookie ?? "").split("; ");
  request.headers.cookie = cookies.filter((cookie) => !cookie.startsWith("_session")).join("; ");
}

/** Grants all scopes without a consent page. */
async function grantEverything({ oidc }: RequestContext): Promise<object> {
  const grant = new oidc.provider.Grant({
    clientId: oidc.client.clientId,
    accountId: oidc.session.accountId,
  });
  grant.addOIDCScope(scope);
  await grant.save();
  return grant;
}

/** Encodes the user name as the account id, so that accounts need not be stored. */
function accountIdOf(username: string): string {
  return Buffer.from(username.toLowerCase()).toString("base64url");
}

function claimsOf(accountId: string): Record<string, string> {
  const username = Buffer.from(accountId, "base64url").toString();
  return { sub: accountId, preferred_username: username, name: username };
}

/** Claims that a person can enter besides the user name: groups, and standard claims (OpenID Connect Core 1.0, section 5.1). */
interface Facts {
  readonly preferred_username?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

/** Reads the claims from the sign-in form. */
function readFacts(form: URLSearchParams): Facts {
  const email = form.get("email")?.trim() ?? "";
  const groups = (form.get("groups") ?? "").split(",").map((group) => group.trim());
  const named = groups.filter((group) => group !== "");
  // Browsers send a checkbox only if it is checked. Scripts may also send "false" or "no".
  const isVerified = !["", "false", "0", "off", "no"].includes(form.get("email_verified") ?? "");
  const preferred = form.get("preferred_username")?.trim() ?? "";
  return {
    ...(preferred === "" ? {} : { preferred_username: preferred }),
    ...(email === "" ? {} : { email, email_verified: isVerified }),
    ...(named.length === 0 ? {} : { groups: named }),
  };
}

interface SigningIn {
  readonly provider: Provider;
  readonly facts: Map<string, Facts>;
  readonly log: (line: string) => void;
}

async function signIn(
  { provider, facts, log }: SigningIn,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await provider.interactionDetails(request, response);
    const action = request.url ?? "";
    if (request.method !== "POST") return sendPage(response, 200, renderSignInPage(action));
    const form = await readForm(request);
    const username = form.get("username")?.trim() ?? "";
    if (username === "") return sendPage(response, 400, renderSignInPage(action, "Enter a user name."));
    const login = { accountId: accountIdOf(username), remember: false };
    facts.set(login.accountId, readFacts(form));
    await provider.interactionFinished(request, response, { login });
  } catch (error) {
    log(`Identity provider: ${String(error)}`);
    const message = "This sign-in has ended. Go back to the page that sent you here and start again.";
    if (!response.headersSent) sendPage(response, 400, renderFailurePage(message));
  }
}

function sendPage(response: ServerResponse, statusCode: number, html: string): void {
  response.writeHead(statusCode, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
  });
  response.end(html);
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const chunk of request) {
    text += chunk;
    if (text.length > bodyBytesMax) throw new Error(`The sign-in form is larger than ${bodyBytesMax} bytes.`);
  }
  return new URLSearchParams(text);
}
