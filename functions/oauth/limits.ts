import type { RateRule } from "../table/rate-rules.ts";

/** Limits for OAuth clients. */
export const oauthLimits = {
  /** Lifetimes of a pending authorization request and of an authorization code. */
  authorizationRequestSeconds: 600,
  authorizationCodeSeconds: 60,
  /** Lifetimes of an access token, of a grant, and of a workflow token. */
  accessTokenSeconds: 3_600,
  grantDays: 180,
  workflowTokenSeconds: 600,
  /** Time after the first use of a refresh token during which further uses return the same tokens. */
  refreshRepeatSeconds: 30,
  /** Maximum number of authorization requests per minute from one network address. */
  authorizationsPerMinutePerAddress: 120,
  /** Maximum size of client metadata. */
  clientMetadataBytesMax: 5_120,
  /** Timeout for fetching a metadata document, and the document's cache lifetime. */
  clientDocumentMs: 3_000,
  clientDocumentKeptSeconds: 600,
  redirectUrisPerClientMax: 10,
  redirectUriCharactersMax: 500,
  /** Maximum total length of a registered client's redirect URIs. Limits the client id, which contains them, to 2,048 characters. */
  redirectUrisCharactersMax: 1_000,
} as const;

/** Rate limit for authorization requests from one network. */
export const authorizationRule: RateRule = {
  name: "authorization",
  lengthMs: 60_000,
  usesMax: oauthLimits.authorizationsPerMinutePerAddress,
  code: "rate_limited",
};
