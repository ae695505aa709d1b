import type { DocumentSite } from "../contract/document-site.ts";
import { callMcpRoute } from "../contract/mcp-routes.ts";

/** Where the MCP server is. */
export function mcpUrl({ baseUrl }: DocumentSite): string {
  return baseUrl + callMcpRoute.path;
}

/** What people put into the configuration of an MCP client, with their token in place of the braces. */
export function writeMcpConfiguration(site: DocumentSite): Readonly<Record<string, unknown>> {
  const headers = { Authorization: "Bearer {api_token}" };
  return { mcpServers: { dropleaf: { type: "http", url: mcpUrl(site), headers } } };
}
