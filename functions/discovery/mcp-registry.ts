import { callMcpRoute } from "../mcp/rows.ts";

/**
 * Writes a service's `server.json` (MCP registry schema of 2025-12-11). The server's name begins with the reversed host, such as
 * `com.example.drops/dropleaf`, because the registry reserves such names for the owner of the domain.
 */
export function describeServer({ baseUrl }: { readonly baseUrl: string }, version: string) {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: serverName(baseUrl),
    title: "Dropleaf",
    description: "Publish HTML pages at permanent addresses, with versions, readers and comments.",
    version,
    websiteUrl: baseUrl,
    remotes: [{ type: "streamable-http", url: baseUrl + callMcpRoute.path }],
  };
}

/** Derives the server's name in the registry from the service's host. */
export function serverName(baseUrl: string): string {
  const labels = new URL(baseUrl).hostname.replace(/[^a-z0-9.-]/g, "-").split(".");
  return `${labels.toReversed().join(".")}/dropleaf`;
}

/**
 * Builds the response of a registry that lists only this service's MCP server, in one version. Returns undefined for other servers,
 * versions and paths.
 *
 * Source: MCP registry, docs/reference/api/openapi.yaml, version 2025-12-01.
 *
 * @param path path below `/v0.1/`, in which the slash in a server's name is not percent-encoded
 * @param filter part of the server's name, and its version or `latest`
 */
export function readRegistry(
  path: string,
  filter: { readonly search?: string | undefined; readonly version?: string | undefined },
  server: ReturnType<typeof describeServer>,
): object | undefined {
  const { search = "", version = "latest" } = filter;
  const isVersion = (one: string) => one === "latest" || one === server.version;
  const entry = {
    server,
    _meta: { "io.modelcontextprotocol.registry/official": { status: "active", isLatest: true } },
  };
  const listed = (servers: readonly object[]) => ({ servers, metadata: { count: servers.length } });
  if (path === "servers") return listed(server.name.includes(search) && isVersion(version) ? [entry] : []);
  const versions = `servers/${server.name}/versions`;
  if (path === versions) return listed([entry]);
  return path.startsWith(`${versions}/`) && isVersion(path.slice(versions.length + 1)) ? entry : undefined;
}
