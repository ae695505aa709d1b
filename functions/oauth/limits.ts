import type { RateRule } from "../platform/rate-rules.ts";

/** The limits of what MCP clients ask for. */
export const oauthLimits = {
  /** How long a request waits for somebody's decision, and a code for its client. */
  authorizationRequestSeconds: 600,
  authorizationCodeSeconds: 60,
  /** How long an access token is good, and how long its client may get the next. */
  accessTokenSeconds: 3_600,
  grantDays: 180,
  /** Requests that one network address may bring in a minute, and clients it may register in an hour; in all, in a day. */
  authorizationsPerMinutePerAddress: 120,
  clientRegistrationsPerHourPerAddress: 120,
  clientRegistrationsPerDay: 1_000,
  /** What a client says of itself: in bytes, characters and addresses. */
  clientMetadataBytesMax: 5_120,
  /** How long it may take to say it, and for how long it is believed, where it says it at an address of its own. */
  clientDocumentMs: 3_000,
  clientDocumentKeptSeconds: 600,
  redirectUrisPerClientMax: 10,
  redirectUriCharactersMax: 500,
  /** How long a registered client is kept that nobody has let in yet, and since somebody did. */
  unusedClientDays: 7,
  usedClientDays: 400,
} as const;

/** What MCP clients ask people for, by the network address of those. */
export const authorizationRule: RateRule = {
  name: "authorization",
  lengthMs: 60_000,
  usesMax: oauthLimits.authorizationsPerMinutePerAddress,
  code: "rate_limited",
};

/** MCP clients that one network address may register. */
export const clientRegistrationRule: RateRule = {
  name: "registration",
  lengthMs: 60 * 60_000,
  usesMax: oauthLimits.clientRegistrationsPerHourPerAddress,
  code: "rate_limited",
};

/** MCP clients that all addresses together may register: the bound on what is stored for nobody. */
export const allClientRegistrationsRule: RateRule = {
  name: "allRegistrations",
  lengthMs: 24 * 60 * 60_000,
  usesMax: oauthLimits.clientRegistrationsPerDay,
  code: "rate_limited",
};
