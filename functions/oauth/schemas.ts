import { type TokenScope, tokenScopes } from "../table/identifiers.ts";

/** Authentication method of every client: none, because clients are public and use PKCE instead of a secret. */
export const clientAuthMethod = "none";

/** Metadata that is the same for every client. */
export const clientTypes = {
  token_endpoint_auth_method: clientAuthMethod,
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
} as const;

/** Grant type of enterprise-managed authorization (RFC 7523, section 2.1). */
export const assertionGrantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** Grant type for exchanging a workflow's ID token (RFC 8693, section 2.1). */
export const exchangeGrantType = "urn:ietf:params:oauth:grant-type:token-exchange";

/** Token types of a token exchange: the workflow's ID token and the issued access token (RFC 8693, section 3). */
export const tokenTypes = {
  idToken: "urn:ietf:params:oauth:token-type:id_token",
  jwt: "urn:ietf:params:oauth:token-type:jwt",
  accessToken: "urn:ietf:params:oauth:token-type:access_token",
} as const;

/** Name of the grant profile in the authorization server's metadata (draft "Identity Assertion JWT Authorization Grant", section 7.2). */
export const assertionGrantProfile = "urn:ietf:params:oauth:grant-profile:id-jag";

/** OAuth scope of clients that request no scope. Has the same meaning as `all`, and is older than the other scope names. */
export const defaultScope = "drops";

/** Name of a scope in OAuth. */
export type OAuthScope = TokenScope | typeof defaultScope;

/** Scope names that a client may request (RFC 6749, section 3.3). */
export const oauthScopes: readonly OAuthScope[] = [defaultScope, ...tokenScopes];
