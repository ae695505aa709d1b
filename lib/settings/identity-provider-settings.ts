import * as z from "zod";
import { httpsAddress, quote, text } from "./setting-kinds.ts";

const endpoint = httpsAddress('use an https address such as "https://id.example.com"');
const claim = text(/\S/, "use the name of a claim");

const otherFields = {
  /** Claim with the person's groups: a list, or a single string. @default - no groups */
  groups: z.optional(claim),
  /**
   * Claim with an e-mail address that the provider has verified. The claim's value is the address, or `true` if the address in `email` is
   * verified.
   *
   * @default - the address in `email`, if `email_verified` is true
   */
  verifiedEmail: z.optional(claim),
};

/**
 * Issuers of Microsoft Entra ID that accept all tenants. These issuers are refused, because anyone can create a tenant and choose any user
 * name in it.
 */
const everyTenant = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)\b/;

/** A provider that publishes its configuration at `<issuer>/.well-known/openid-configuration`. */
const openIdConnectProvider = z.strictObject({
  kind: z.literal("oidc"),
  /** Issuer exactly as in the provider's tokens, such as `https://accounts.example.com`. */
  issuer: endpoint.check(
    z.refine((issuer) => !everyTenant.test(issuer), {
      message:
        'which stands for every tenant: use your own, "https://login.microsoftonline.com/<tenant id>/v2.0"',
    }),
  ),
  /** Scopes that sign-in requests. @default "openid profile email" */
  scope: z.optional(z.string('use scopes such as "openid profile email"')),
  /** Claims that contain a person's data. @default - `sub` and `preferred_username`, without groups */
  fields: z.optional(
    z.strictObject(
      { id: z.optional(claim), username: z.optional(claim), ...otherFields },
      'use a value such as { groups: "groups" }',
    ),
  ),
});

/** A provider without a published configuration. */
const oauthProvider = z.strictObject({
  kind: z.literal("oauth2"),
  authorizationEndpoint: endpoint,
  tokenEndpoint: endpoint,
  userinfoEndpoint: endpoint,
  /**
   * GitHub's endpoint that lists a person's e-mail addresses. On GitHub Enterprise Server its path is `/api/v3/user/emails`.
   *
   * @default - only an address that the userinfo response marks as verified (`email` and `email_verified`)
   */
  emailsEndpoint: z.optional(endpoint),
  /**
   * GitHub's endpoint for organization memberships, to which the organization's name is appended. On GitHub Enterprise Server its path is
   * `/api/v3/user/memberships/orgs`.
   *
   * @default - `members.githubOrganizations` cannot be set
   */
  membershipsEndpoint: z.optional(endpoint),
  scope: z.string('use a scope such as "profile"'),
  fields: z.strictObject(
    { id: claim, username: claim, ...otherFields },
    'use a value such as { id: "id", username: "login" }',
  ),
});

/** GitHub, an OpenID Connect issuer, or any OAuth 2.0 provider with a userinfo endpoint. */
export const identityProvider = z.union(
  [z.literal("github"), z.discriminatedUnion("kind", [openIdConnectProvider, oauthProvider])],
  'use "github", { kind: "oidc", issuer: "https://…" }, or { kind: "oauth2", … } with its endpoints, scope and fields',
);

export type IdentityProvider = z.input<typeof identityProvider>;
export type OAuthProvider = z.input<typeof oauthProvider>;

/** Issuer of identity assertions for MCP clients (ID-JAG). */
export const enterpriseAuthorization = z.strictObject(
  {
    /** Issuer of `identityProvider`. The issuer must be the same, so that each person has one account. */
    issuer: z.string('use the issuer of identityProvider, such as "https://id.example.com"'),
  },
  'use a value such as { issuer: "https://id.example.com" }',
);

/**
 * Requires the same issuer as for sign-in, because ids are unique only within an issuer, and a person's MCP clients must use the person's
 * account.
 */
export function enterpriseAuthorizationProblems({
  enterpriseAuthorization: given,
  identityProvider: provider,
}: {
  readonly enterpriseAuthorization?: z.input<typeof enterpriseAuthorization> | undefined;
  readonly identityProvider?: IdentityProvider | undefined;
}): (string | false)[] {
  if (given === undefined) return [];
  if (typeof provider !== "object" || provider.kind !== "oidc")
    return [
      'enterpriseAuthorization needs an OpenID Connect provider: set identityProvider { kind: "oidc", issuer: … } with the same issuer',
    ];
  return [
    given.issuer !== provider.issuer &&
      `enterpriseAuthorization.issuer is ${quote(given.issuer)}, but people sign in at ${quote(provider.issuer)}: use the same issuer, so that each person has one account`,
  ];
}
