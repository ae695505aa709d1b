import { type TokenScope, tokenScopes } from "../table/identifiers.ts";

/** Every client is a public one, without a secret: each proves itself by PKCE. */
export const clientAuthMethod = "none";

/** Properties of every client, regardless of its registration. */
export const clientTypes = {
  token_endpoint_auth_method: clientAuthMethod,
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
} as const;

/** Grant of enterprise-managed authorization; RFC 7523, section 2.1. */
export const assertionGrantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** Grant by which a workflow exchanges its ID token for a token; RFC 8693, section 2.1. */
export const exchangeGrantType = "urn:ietf:params:oauth:grant-type:token-exchange";

/** Types of an ID token, and of the token that replaces it; RFC 8693, section 3. */
export const tokenTypes = {
  idToken: "urn:ietf:params:oauth:token-type:id_token",
  jwt: "urn:ietf:params:oauth:token-type:jwt",
  accessToken: "urn:ietf:params:oauth:token-type:access_token",
} as const;

/** Profile of that grant, which metadata names; draft "Identity Assertion JWT Authorization Grant", section 7.2. */
export const assertionGrantProfile = "urn:ietf:params:oauth:grant-profile:id-jag";

/** The scope of clients that request none. It means `all`, and is older than the names of scopes. */
export const defaultScope = "drops";

/** Name of a scope in OAuth. */
export type OAuthScope = TokenScope | typeof defaultScope;

/** Names that a client may request (RFC 6749, section 3.3). */
export const oauthScopes: readonly OAuthScope[] = [defaultScope, ...tokenScopes];
