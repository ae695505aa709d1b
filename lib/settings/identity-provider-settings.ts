import * as z from "zod";
import { httpsAddress, quote, text } from "./setting-kinds.ts";

const endpoint = httpsAddress('write an https address such as "https://id.example.com"');
const claim = text(/\S/, "write the name of a claim");

const otherFields = {
  /**
   * The groups of a person: a list or one text.
   * @default - no groups
   */
  groups: z.optional(claim),
  /**
   * The claim with an e-mail address that the provider has verified: the address, or `true` for the address in `email`.
   *
   * @default - only `email` with an `email_verified` of true
   */
  verifiedEmail: z.optional(claim),
};

/** Issuers of Microsoft Entra ID for all tenants, where anyone can choose their own user name. */
const everyTenant = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)\b/;

/** A provider that publishes its configuration at `<issuer>/.well-known/openid-configuration`. */
const openIdConnectProvider = z.strictObject({
  kind: z.literal("oidc"),
  /** `https://accounts.example.com`, exactly as in the provider's tokens. */
  issuer: endpoint.check(
    z.refine((issuer) => !everyTenant.test(issuer), {
      message:
        'which stands for every tenant: write your own, "https://login.microsoftonline.com/<tenant id>/v2.0"',
    }),
  ),
  /** @default "openid profile email" */
  scope: z.optional(z.string('write a text such as "openid profile email"')),
  /** @default - `sub` and `preferred_username`, without groups */
  fields: z.optional(
    z.strictObject(
      { id: z.optional(claim), username: z.optional(claim), ...otherFields },
      'write such as { groups: "groups" }',
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
   * GitHub's endpoint of a person's addresses; GitHub Enterprise Server has it at `/api/v3/user/emails`.
   *
   * @default - only an address that the userinfo response marks as verified (`email`, `email_verified`)
   */
  emailsEndpoint: z.optional(endpoint),
  /**
   * GitHub's endpoint of organization memberships, to which the organization's name is added; GitHub Enterprise
   * Server has it at `/api/v3/user/memberships/orgs`.
   *
   * @default - `members.githubOrganizations` cannot be set
   */
  membershipsEndpoint: z.optional(endpoint),
  scope: z.string('write a text such as "profile"'),
  fields: z.strictObject(
    { id: claim, username: claim, ...otherFields },
    'write such as { id: "id", username: "login" }',
  ),
});

/** GitHub, an OpenID Connect issuer, or any OAuth 2.0 provider with a userinfo endpoint. */
export const identityProvider = z.union(
  [z.literal("github"), z.discriminatedUnion("kind", [openIdConnectProvider, oauthProvider])],
  'write "github", { kind: "oidc", issuer: "https://…" }, or { kind: "oauth2", … } with its endpoints, scope and fields',
);

export type IdentityProvider = z.input<typeof identityProvider>;
export type OAuthProvider = z.input<typeof oauthProvider>;

/** Issuer of identity assertions for MCP clients (ID-JAG). */
export const enterpriseAuthorization = z.strictObject(
  {
    /** The issuer of `identityProvider`, so that a person has one account. */
    issuer: z.string('write the issuer of identityProvider, such as "https://id.example.com"'),
  },
  'write such as { issuer: "https://id.example.com" }',
);

/** Refuses another issuer than the sign-in's. Ids are unique within an issuer: a person and the clients that act for them share one account. */
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
      'enterpriseAuthorization needs an OpenID Connect provider: write identityProvider { kind: "oidc", issuer: … } with the same issuer',
    ];
  return [
    given.issuer !== provider.issuer &&
      `enterpriseAuthorization.issuer is ${quote(given.issuer)}, and people sign in at ${quote(provider.issuer)}: write the same issuer, so that each person has one account`,
  ];
}
