import { environmentNames, findEnvironment, type IdentityProviderSettings } from "../core/environment.ts";
import type { Site } from "../http/site.ts";
import { requireResource } from "./authorization-request.ts";
import { OAuthError } from "./oauth-error.ts";
import { type OAuthScope, oauthScopes } from "./schemas.ts";
import { findScope } from "./scopes.ts";
import { type SignedToken, verifySignedToken } from "./signed-token.ts";

// Enterprise-managed authorization: the company's identity provider states in a signed assertion that a client may act for a person; see the
// IETF draft "Identity Assertion JWT Authorization Grant" (ID-JAG) and the MCP extension
// io.modelcontextprotocol/enterprise-managed-authorization.

/** Issuer of identity assertions, with the names of the claims that describe a person. */
export type AssertionIssuer = Extract<IdentityProviderSettings, { kind: "oidc" }>;

/** A verified identity assertion. */
export interface IdentityAssertion extends SignedToken {
  readonly clientId: string;
  /** Maximum scope that the issuer allows. @default - no maximum */
  readonly scope: OAuthScope | undefined;
}

/** Reads the issuer from the setting `enterpriseAuthorization`. Returns undefined without this setting. */
export function findAssertionIssuer(): AssertionIssuer | undefined {
  const said = findEnvironment(environmentNames.enterpriseAuthorization);
  return said === undefined ? undefined : JSON.parse(said);
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
): Promise<IdentityAssertion> {
  const rules = {
    issuer,
    audience: site.baseUrl,
    typ: "oauth-id-jag+jwt",
    texts: ["sub", "client_id"],
    refuse: (why: string) => new OAuthError("invalid_grant", `The assertion is not valid: ${why}.`),
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
  return { ...token, clientId: clientId as string, scope };
}
