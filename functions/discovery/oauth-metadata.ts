import { environmentNames, findEnvironment } from "../core/environment.ts";
import type { Site } from "../http/site.ts";
import { callMcpRoute } from "../mcp/rows.ts";
import { issueTokenRoute, registerClientRoute, revokeGrantRoute, showConsentRoute } from "../oauth/rows.ts";
import {
  assertionGrantProfile,
  assertionGrantType,
  clientAuthMethod,
  clientTypes,
  exchangeGrantType,
  oauthScopes,
} from "../oauth/schemas.ts";

/** Writes the protected resource metadata of the MCP server (RFC 9728, section 2). */
export function writeResourceMetadata({ baseUrl }: Pick<Site, "baseUrl">) {
  return {
    resource: baseUrl + callMcpRoute.path,
    authorization_servers: [baseUrl],
    scopes_supported: oauthScopes,
    bearer_methods_supported: ["header"],
    resource_name: "Dropleaf",
    resource_documentation: `${baseUrl}/llms.txt`,
  };
}

/** Writes the authorization server metadata (RFC 8414, section 2; RFC 9207, section 3). */
export function writeIssuerMetadata({ baseUrl }: Pick<Site, "baseUrl">) {
  const { grant_types, response_types } = clientTypes;
  const takesAssertions = findEnvironment(environmentNames.enterpriseAuthorization) !== undefined;
  return {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + showConsentRoute.path,
    token_endpoint: baseUrl + issueTokenRoute.path,
    revocation_endpoint: baseUrl + revokeGrantRoute.path,
    registration_endpoint: baseUrl + registerClientRoute.path,
    scopes_supported: oauthScopes,
    response_types_supported: response_types,
    response_modes_supported: ["query"],
    grant_types_supported: [
      ...grant_types,
      ...(takesAssertions ? [assertionGrantType] : []),
      ...(findEnvironment(environmentNames.githubActions) === undefined ? [] : [exchangeGrantType]),
    ],
    // See section 6 of the MCP extension io.modelcontextprotocol/enterprise-managed-authorization.
    ...(takesAssertions ? { authorization_grant_profiles_supported: [assertionGrantProfile] } : {}),
    token_endpoint_auth_methods_supported: [clientAuthMethod],
    revocation_endpoint_auth_methods_supported: [clientAuthMethod],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${baseUrl}/llms.txt`,
  };
}
