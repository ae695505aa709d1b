import type { Site } from "../platform/site.ts";

/** The MCP server: what tokens are given out for. */
export const mcpPath = "/mcp";

/** The resource that access tokens are good for (RFC 8707; RFC 9728, section 1.2). */
export function mcpResource({ baseUrl }: Pick<Site, "baseUrl">): string {
  return baseUrl + mcpPath;
}
