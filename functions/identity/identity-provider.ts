import { isDeepStrictEqual } from "node:util";
import * as client from "openid-client";
import { environmentNames, type IdentityProviderSettings, readEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { onInit } from "../core/start-up.ts";
import type { Identity } from "../people/accounts.ts";
import { type Claims, type FetchFromProvider, fetchGitHubFacts, toIdentity } from "./claims.ts";
import { type IdentityProviderClient, readIdentityProviderClient } from "./registration.ts";

onInit(readIdentityProviderClient);

/** Timeout of a request to the provider, in seconds. Short enough for two successive requests to the provider during one operation. */
const timeoutSeconds = 8;

interface Provider {
  readonly settings: IdentityProviderSettings;
  readonly configuration: client.Configuration;
}

/** Builds the URL of an authorization request to the provider, with PKCE (RFC 7636, S256). */
export async function authorizationUrl(options: {
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUrl: string;
  /** `other-account` lets the person choose another account. `authenticate` requires a new authentication. @default - no prompt */
  readonly prompt?: "other-account" | "authenticate" | undefined;
}): Promise<URL> {
  return withProvider(async ({ settings, configuration }) => {
    const named = configuration.serverMetadata().prompt_values_supported;
    const prompt =
      options.prompt === "authenticate"
        ? authenticationPrompt(settings, named)
        : options.prompt && accountPrompt(settings, named);
    return client.buildAuthorizationUrl(configuration, {
      ...(prompt === undefined ? {} : { prompt }),
      redirect_uri: options.redirectUrl,
      scope: settings.scope,
      state: options.state,
      code_challenge: await client.calculatePKCECodeChallenge(options.codeVerifier),
      code_challenge_method: "S256",
    });
  });
}

/** Issuers that support `select_account` although their metadata does not list it: Google and Microsoft Entra ID. */
const accountChoosers = new Set(["accounts.google.com", "login.microsoftonline.com"]);

/**
 * Selects the `prompt` value that lets a person choose another account. A provider may refuse a value that its metadata does not list
 * (Initiating User Registration via OpenID Connect 1.0, section 4). If a provider lists no values, as Okta does, uses `login`, which every
 * provider supports (OpenID Connect Core 1.0, section 15.1). GitHub supports `select_account`. Other OAuth 2.0 providers ignore unknown
 * parameters (RFC 6749, section 3.1).
 *
 * @param named the provider's `prompt_values_supported` metadata
 */
function accountPrompt(settings: IdentityProviderSettings, named: unknown): string | undefined {
  if (settings.kind === "oauth2") return "select_account";
  if (Array.isArray(named)) return ["select_account", "login"].find((value) => named.includes(value));
  return accountChoosers.has(new URL(settings.issuer).hostname) ? "select_account" : "login";
}

/**
 * Selects the `prompt` value that makes a person authenticate again (OpenID Connect Core 1.0, section 3.1.2.1). For GitHub, which has no
 * such prompt, selects the account chooser instead.
 */
function authenticationPrompt(settings: IdentityProviderSettings, named: unknown): string | undefined {
  if (settings.kind === "oauth2") return "select_account";
  return !Array.isArray(named) || named.includes("login") ? "login" : accountPrompt(settings, named);
}

/** Query parameters of the provider's callback. */
interface ProviderResponse {
  readonly code: string;
  readonly state: string;
  readonly issuer: string | undefined;
}

/** Exchanges the callback's code and fetches the identity. @throws ApiError `invalid_arg` for a refused code, or `idp_unavailable` */
export async function fetchIdentity(
  callbackUrl: string,
  { code, state, issuer }: ProviderResponse,
  codeVerifier: string,
): Promise<Identity> {
  // Removes all other query parameters, because the library would report them as an error of the provider.
  const callback = new URL(callbackUrl);
  callback.search = new URLSearchParams({
    code,
    state,
    ...(issuer === undefined ? {} : { iss: issuer }),
  }).toString();
  return withProvider(async ({ settings, configuration }) => {
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      idTokenExpected: settings.kind === "oidc",
    });
    const accessToken = tokens.access_token;
    if (settings.kind === "oauth2") {
      const headers = new Headers({ accept: "application/json", "user-agent": "dropleaf" });
      const ask = (endpoint: string) =>
        client.fetchProtectedResource(configuration, accessToken, new URL(endpoint), "GET", null, headers);
      // Sends the requests concurrently, because each may be slow while the person waits.
      const [profile, facts] = await Promise.all([
        fetchProfile(settings.userinfoEndpoint, ask),
        fetchGitHubFacts(settings, ask),
      ]);
      return toIdentity(settings, [profile], facts);
    }
    // Reads both sources, because some providers send groups or names only in the ID token, and others only in the userinfo response.
    const idToken = tokens.claims();
    const userinfo = await client.fetchUserInfo(configuration, accessToken, idToken?.sub ?? "");
    return toIdentity(settings, [userinfo, idToken ?? {}]);
  });
}

async function withProvider<Result>(use: (provider: Provider) => Promise<Result>): Promise<Result> {
  const registration = await readIdentityProviderClient();
  try {
    return await use(await connect(registration));
  } catch (error) {
    throw toApiError(error);
  }
}

let connected:
  | { readonly provider: Promise<Provider>; readonly registration: IdentityProviderClient }
  | undefined;

/** Returns the provider's configuration, which is cached until the registration with the provider changes. */
async function connect(registration: IdentityProviderClient): Promise<Provider> {
  if (connected === undefined || !isDeepStrictEqual(connected.registration, registration)) {
    const provider = configure(registration);
    connected = { provider, registration };
    provider.catch(() => {
      connected = undefined;
    });
  }
  return connected.provider;
}

async function configure({ clientId, clientSecret }: IdentityProviderClient): Promise<Provider> {
  const settings: IdentityProviderSettings = JSON.parse(readEnvironment(environmentNames.identityProvider));
  if (settings.kind === "oidc") {
    const issuer = new URL(settings.issuer);
    const execute = isInsecure(settings.issuer) ? [client.allowInsecureRequests] : [];
    const options = { execute, timeout: timeoutSeconds };
    return {
      settings,
      configuration: await client.discovery(issuer, clientId, clientSecret, undefined, options),
    };
  }
  const configuration = new client.Configuration(
    {
      issuer: new URL(settings.authorizationEndpoint).origin,
      authorization_endpoint: settings.authorizationEndpoint,
      token_endpoint: settings.tokenEndpoint,
      userinfo_endpoint: settings.userinfoEndpoint,
    },
    clientId,
    clientSecret,
  );
  configuration.timeout = timeoutSeconds;
  if (isInsecure(settings.tokenEndpoint)) client.allowInsecureRequests(configuration);
  return { settings, configuration };
}

/** Checks whether the provider uses HTTP without TLS, which the settings allow only for a provider on the same machine. */
function isInsecure(address: string): boolean {
  return new URL(address).protocol === "http:";
}

async function fetchProfile(endpoint: string, ask: FetchFromProvider): Promise<Claims> {
  const response = await ask(endpoint);
  if (!response.ok) throw new Error(`The userinfo endpoint responded ${response.status}.`);
  const profile: unknown = await response.json();
  return typeof profile === "object" && profile !== null ? (profile as Claims) : {};
}

/** Converts an error during a sign-in to `idp_unavailable`, or for an invalid callback or a refused grant, to a client error. */
function toApiError(error: unknown): ApiError {
  if (error instanceof client.AuthorizationResponseError || isRefusedGrant(error) || isBadCallback(error)) {
    const message = "The identity provider refused this sign-in. Start again from the verification page.";
    return new ApiError("invalid_arg", { message, cause: error });
  }
  return new ApiError("idp_unavailable", { cause: error });
}

/** Recognizes the library's error for an invalid callback, whose cause contains the callback's query. */
function isBadCallback(error: unknown): boolean {
  if (!(error instanceof Error) || typeof error.cause !== "object" || error.cause === null) return false;
  return "parameters" in error.cause || isBadCallback(error.cause);
}

/**
 * Recognizes an `invalid_grant` error (RFC 6749, section 5.2). Also recognizes GitHub's own error code, which GitHub sends with status 200;
 * see "Troubleshooting OAuth app access token request errors", GitHub documentation.
 */
function isRefusedGrant(error: unknown): boolean {
  if (error instanceof client.ResponseBodyError) return error.error === "invalid_grant";
  if (!(error instanceof Error)) return false;
  const cause = error.cause as { readonly body?: { readonly error?: unknown } } | null | undefined;
  return cause?.body?.error === "bad_verification_code" || isRefusedGrant(error.cause);
}
