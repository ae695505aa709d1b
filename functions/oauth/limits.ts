import type { RateRule } from "../table/rate-rules.ts";

/** Limits of MCP clients. */
export const oauthLimits = {
  /** Lifetimes of a pending authorization request and of a code. */
  authorizationRequestSeconds: 600,
  authorizationCodeSeconds: 60,
  /** Lifetimes of an access token, of a grant, and of a workflow token. */
  accessTokenSeconds: 3_600,
  grantDays: 180,
  workflowTokenSeconds: 600,
  /** Period after the first use of a refresh token when further uses return the same tokens. */
  refreshRepeatSeconds: 30,
  /** Maximum number of authorization requests per minute from one network address. */
  authorizationsPerMinutePerAddress: 120,
  /** Maximum size of client metadata. */
  clientMetadataBytesMax: 5_120,
  /** Timeout for fetching a metadata document, and how long the document is cached. */
  clientDocumentMs: 3_000,
  clientDocumentKeptSeconds: 600,
  redirectUrisPerClientMax: 10,
  redirectUriCharactersMax: 500,
  /** Maximum total length of a registered client's redirect URIs. It limits the client id to 2,048 characters, which fit into a URL. */
  redirectUrisCharactersMax: 1_000,
} as const;

/** Rate limit of authorization requests from one network. */
export const authorizationRule: RateRule = {
  name: "authorization",
  lengthMs: 60_000,
  usesMax: oauthLimits.authorizationsPerMinutePerAddress,
  code: "rate_limited",
};
