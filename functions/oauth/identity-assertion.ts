import { environmentNames, findEnvironment, type IdentityProviderSettings } from "../core/environment.ts";
import type { Site } from "../http/site.ts";
import { requireResource } from "./authorization-request.ts";
import { invalidGrant, OAuthError } from "./oauth-error.ts";
import { oauthScopes } from "./schemas.ts";
import { findScope } from "./scopes.ts";
import { verifySignedToken } from "./signed-token.ts";

// Enterprise-managed authorization: the company's identity provider states in a signed assertion that a client may act for a person; see the
// IETF draft "Identity Assertion JWT Authorization Grant" (ID-JAG) and the MCP extension
// io.modelcontextprotocol/enterprise-managed-authorization.

/** Issuer of identity assertions, with the names of the claims that describe a person. */
export type AssertionIssuer = Extract<IdentityProviderSettings, { kind: "oidc" }>;

/** A verified identity assertion. */
export type IdentityAssertion = Awaited<ReturnType<typeof verifyAssertion>>;

/** Reads the issuer from the setting `enterpriseAuthorization`. Returns undefined without this setting. */
export function findAssertionIssuer(): AssertionIssuer | undefined {
  const text = findEnvironment(environmentNames.enterpriseAuthorization);
  return text === undefined ? undefined : JSON.parse(text);
}

/**
 * Verifies an identity assertion, including its resource and scope. Callers must check that it was issued to the client and was not used
 * before.
 *
 * @throws OAuthError `invalid_grant`, `invalid_target` or `invalid_scope`; ApiError `idp_unavailable`
 */
export async function verifyAssertion(
  assertion: string,
  { issuer }: AssertionIssuer,
  site: Site,
  nowMs: number,
) {
  const rules = {
    issuer,
    audience: site.baseUrl,
    typ: "oauth-id-jag+jwt",
    texts: ["sub", "client_id"],
    refuse: (why: string) => invalidGrant(`The assertion is not valid: ${why}.`),
  };
  const token = await verifySignedToken(assertion, rules, nowMs);
  const { client_id: clientId, resource, scope: granted } = token.claims;
  requireResource([resource ?? []].flat().map(String), site);
  const scope = granted === undefined ? undefined : findScope(String(granted));
  if (granted !== undefined && scope === undefined)
    throw new OAuthError(
      "invalid_scope",
      `The assertion's scope must include one of ${oauthScopes.join(", ")}, or be omitted.`,
    );
  // The scope is the maximum that the issuer allows. Without a scope, there is no maximum.
  return { ...token, clientId: clientId as string, scope };
}
