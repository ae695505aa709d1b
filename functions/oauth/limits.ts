import type { RateRule } from "../table/rate-rules.ts";

/** The limits of what MCP clients ask for. */
export const oauthLimits = {
  /** How long a request waits for somebody's decision, and a code for its client. */
  authorizationRequestSeconds: 600,
  authorizationCodeSeconds: 60,
  /** How long an access token is good, and how long its client may get the next. */
  accessTokenSeconds: 3_600,
  grantDays: 180,
  /** The time in which a refresh token that was used gives the same tokens again. */
  refreshRepeatSeconds: 30,
  /** Requests that one network address may bring in a minute. */
  authorizationsPerMinutePerAddress: 120,
  /** What a client says of itself: in bytes, characters and addresses. */
  clientMetadataBytesMax: 5_120,
  /** How long it may take to say it, and for how long it is believed, where it says it at an address of its own. */
  clientDocumentMs: 3_000,
  clientDocumentKeptSeconds: 600,
  redirectUrisPerClientMax: 10,
  redirectUriCharactersMax: 500,
  /** Bounds the addresses of a client that registers itself in sum: an id has at most 2,048 characters then, and fits into a URL. */
  redirectUrisCharactersMax: 1_000,
} as const;

/** What MCP clients ask people for, by the network address of those. */
export const authorizationRule: RateRule = {
  name: "authorization",
  lengthMs: 60_000,
  usesMax: oauthLimits.authorizationsPerMinutePerAddress,
  code: "rate_limited",
};
