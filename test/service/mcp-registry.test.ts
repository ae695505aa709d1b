import { expect, test } from "vitest";
import { expectError } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { errorsInServer } from "../support/mcp-registry-schema.ts";

const list = async (query = "") => JSON.parse((await fetchPage(`/v0.1/servers${query}`)).text);

// The schemas "ServerList" and "ServerResponse" are in the MCP registry's docs/reference/api/openapi.yaml, version 2025-12-01.
test("the registry lists only this service's MCP server, in the registry's schema", async () => {
  const { servers, ...rest } = await list();

  expect(rest).toEqual({ metadata: { count: 1 } });
  expect(servers).toEqual([
    {
      server: expect.objectContaining({
        name: expect.stringMatching(/^[a-zA-Z0-9.-]+\/dropleaf$/),
        remotes: [{ type: "streamable-http", url: `${baseUrl()}/mcp` }],
      }),
      _meta: { "io.modelcontextprotocol.registry/official": { status: "active", isLatest: true } },
    },
  ]);
  expect(errorsInServer(servers[0].server)).toEqual([]);
});

test("the registry filters by name and version", async () => {
  const { server } = (await list()).servers[0];

  const counts = await Promise.all(
    [
      "?search=dropleaf",
      "?search=other",
      "?version=latest",
      `?version=${server.version}`,
      "?version=9.9.9",
    ].map(async (query) => (await list(`${query}&limit=50`)).metadata.count),
  );

  expect(counts).toEqual([1, 0, 1, 1, 0]);
});

test("a server's versions are found by its encoded name, and the newest one by the version latest", async () => {
  const [entry] = (await list()).servers;
  const versions = `/v0.1/servers/${encodeURIComponent(entry.server.name)}/versions`;
  const read = async (path: string) => JSON.parse((await fetchPage(path)).text);

  expect(await read(versions)).toEqual({ servers: [entry], metadata: { count: 1 } });
  expect(await read(`${versions}/latest`)).toEqual(entry);
  expect(await read(`${versions}/${entry.server.version}`)).toEqual(entry);
});

test.each(["servers/com.example%2Fother/versions/latest", "servers/com.example%2Fother/versions", "publish"])(
  "/v0.1/%s is not found",
  async (path) => {
    expectError(await fetchPage(`/v0.1/${path}`), "not_found");
  },
);

test("programs of other origins can read the registry, also with a token", async () => {
  const listed = await fetchPage("/v0.1/servers");
  const preflight = await fetchPage("/v0.1/servers", { method: "OPTIONS" });

  const allowed = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, OPTIONS",
    "access-control-allow-headers": "Authorization, Content-Type",
  };
  expect(listed.headers).toMatchObject(allowed);
  expect(preflight.status).toBe(200);
  expect(preflight.headers).toMatchObject(allowed);
});

test("the error for an unknown path does not suggest the registry", async () => {
  const { text } = await fetchPage("/sse", { headers: { accept: "application/json" } });

  const { nearest } = JSON.parse(text).error.details;
  expect(nearest.length).toBeGreaterThan(0);
  for (const call of nearest) expect(call).not.toContain("{proxy+}");
});
