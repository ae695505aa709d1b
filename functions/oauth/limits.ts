import type { RateRule } from "../table/rate-rules.ts";

/** The limits of what MCP clients ask for. */
export const oauthLimits = {
  /** Lifetimes of a pending request and of a code. */
  authorizationRequestSeconds: 600,
  authorizationCodeSeconds: 60,
  /** Lifetimes of an access token, of the grant to renew it, and of a workflow's token. */
  accessTokenSeconds: 3_600,
  grantDays: 180,
  workflowTokenSeconds: 600,
  /** The time in which a refresh token that was used gives the same tokens again. */
  refreshRepeatSeconds: 30,
  /** Requests that one network address may bring in a minute. */
  authorizationsPerMinutePerAddress: 120,
  /** Limits of client metadata in bytes, characters and URIs. */
  clientMetadataBytesMax: 5_120,
  /** Limits of a metadata document: time to fetch it and time to cache it. */
  clientDocumentMs: 3_000,
  clientDocumentKeptSeconds: 600,
  redirectUrisPerClientMax: 10,
  redirectUriCharactersMax: 500,
  /** Bounds the addresses of a client that registers itself in sum: an id has at most 2,048 characters then, and fits into a URL. */
  redirectUrisCharactersMax: 1_000,
} as const;

/** Authorization requests from one network. */
export const authorizationRule: RateRule = {
  name: "authorization",
  lengthMs: 60_000,
  usesMax: oauthLimits.authorizationsPerMinutePerAddress,
  code: "rate_limited",
};
