import { callMcpRoute } from "../mcp/rows.ts";

/**
 * `server.json` of a service, by the registry's schema of 2025-12-11. Its name is the host in reverse order and a name, which the owner of
 * the service's domain may use: `com.example.drops/dropleaf`.
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

/** The name that the registry derives from the host of a service. */
export function serverName(baseUrl: string): string {
  const labels = new URL(baseUrl).hostname.replace(/[^a-z0-9.-]/g, "-").split(".");
  return `${labels.toReversed().join(".")}/dropleaf`;
}

/** The parameters of a list that select servers. */
interface ServerFilter {
  /** A part of the name. */
  readonly search?: string | undefined;
  /** A version, or `latest`. */
  readonly version?: string | undefined;
}

/**
 * The response of a registry that has one server in one version; undefined for other servers, versions and paths.
 *
 * Source: MCP registry, docs/reference/api/openapi.yaml, version 2025-12-01.
 *
 * @param path below `/v0.1/`, with the slash of a server's name as it is
 */
export function readRegistry(
  path: string,
  { search = "", version = "latest" }: ServerFilter,
  server: ReturnType<typeof describeServer>,
): object | undefined {
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
