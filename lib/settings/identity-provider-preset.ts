import type { IdentityProviderSettings, MemberRules } from "../../functions/core/environment.ts";
import { toLowerAscii } from "../../functions/policies/access.ts";
import type { Settings } from "../settings.ts";
import type { IdentityProvider, OAuthProvider } from "./identity-provider-settings.ts";
import type { MemberSettings } from "./member-settings.ts";

/**
 * Endpoints, scope and fields of GitHub. Sources, GitHub documentation: "Authorizing OAuth apps", "Scopes for OAuth apps", "Get the
 * authenticated user", "List email addresses for the authenticated user", "Get an organization membership for the authenticated user".
 */
const github = {
  kind: "oauth2",
  authorizationEndpoint: "https://github.com/login/oauth/authorize",
  tokenEndpoint: "https://github.com/login/oauth/access_token",
  userinfoEndpoint: "https://api.github.com/user",
  emailsEndpoint: "https://api.github.com/user/emails",
  membershipsEndpoint: "https://api.github.com/user/memberships/orgs",
  scope: "read:user user:email",
  fields: { id: "id", username: "login" },
} as const satisfies OAuthProvider;

/** Completes the identity provider's settings with the preset's endpoints and defaults. */
export function completeIdentityProvider(
  provider: IdentityProvider = "github",
  members: Settings["members"] = {},
  scim?: Settings["scim"],
): IdentityProviderSettings {
  const { githubOrganizations: names = [] } = members === "anyone" ? {} : members;
  const provisioning = scim === undefined ? {} : { provisioning: scim };
  if (provider !== "github" && provider.kind === "oidc") {
    return {
      // Standard claims, and the scope that requests them (OpenID Connect Core 1.0, sections 5.1 and 5.4).
      scope: "openid profile email",
      ...provider,
      fields: { id: "sub", username: "preferred_username", ...provider.fields },
      ...provisioning,
      // `memberProblems` allows organizations for an OpenID Connect provider only on localhost, where the local cloud's identity provider
      // replaces GitHub.
      ...(names.length === 0 ? {} : { organizationsClaim: "groups" }),
    };
  }
  const { membershipsEndpoint, ...rest } = provider === "github" ? github : provider;
  const isAsked = membershipsEndpoint !== undefined && names.length > 0;
  return {
    ...rest,
    ...(isAsked ? { organizations: { endpoint: membershipsEndpoint, names: names.map(toLowerAscii) } } : {}),
    ...(isAsked && provider === "github" ? { scope: `${github.scope} read:org` } : {}),
    ...provisioning,
  };
}

/** Completes the member rules with defaults. Returns undefined if no rules are set. */
export function completeMembers(members: "anyone" | MemberSettings | undefined): MemberRules | undefined {
  if (members === undefined || members === "anyone") return members;
  const { emailDomains = [], githubOrganizations = [], groups = [] } = members;
  return {
    emailDomains: emailDomains.map((domain) => toLowerAscii(domain.trim())),
    organizations: githubOrganizations.map(toLowerAscii),
    groups,
  };
}
