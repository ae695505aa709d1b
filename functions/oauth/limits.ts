import type { RateRule } from "../table/rate-rules.ts";

/** Limits of MCP clients. */
export const oauthLimits = {
  /** Lifetimes of a pending request and of a code. */
  authorizationRequestSeconds: 600,
  authorizationCodeSeconds: 60,
  /** Lifetimes of an access token, of the grant to renew it, and of a workflow's token. */
  accessTokenSeconds: 3_600,
  grantDays: 180,
  workflowTokenSeconds: 600,
  /** Seconds in which a used refresh token returns the same tokens again. */
  refreshRepeatSeconds: 30,
  /** Requests that one network address may make in a minute. */
  authorizationsPerMinutePerAddress: 120,
  /** Limits of client metadata in bytes, characters and URIs. */
  clientMetadataBytesMax: 5_120,
  /** Limits of a metadata document: time to fetch it and time to cache it. */
  clientDocumentMs: 3_000,
  clientDocumentKeptSeconds: 600,
  redirectUrisPerClientMax: 10,
  redirectUriCharactersMax: 500,
  /** Limit of all addresses together of a client that registers itself: an id then has at most 2,048 characters, and fits into a URL. */
  redirectUrisCharactersMax: 1_000,
} as const;

/** Authorization requests from one network. */
export const authorizationRule: RateRule = {
  name: "authorization",
  lengthMs: 60_000,
  usesMax: oauthLimits.authorizationsPerMinutePerAddress,
  code: "rate_limited",
};
