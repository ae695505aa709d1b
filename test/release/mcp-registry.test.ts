import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callMcpRoute } from "../../functions/mcp/rows.ts";
import { projectDirectory } from "../../lib/project-directory.ts";
import { errorsInServer, serverSchemaId } from "../support/mcp-registry-schema.ts";

const readJson = (path: string) => JSON.parse(readFileSync(join(projectDirectory, path), "utf8"));
const server = readJson("server.json");

test("server.json is valid by the schema of the MCP registry", () => {
  expect(server.$schema).toBe(serverSchemaId);
  expect(errorsInServer(server)).toEqual([]);
  expect(errorsInServer({ ...server, description: "d".repeat(101) })).not.toEqual([]);
  expect(errorsInServer({ ...server, remotes: [{ type: "streamable-http" }] })).not.toEqual([]);
});

test("server.json has the version in package.json, and an MCP server on the host that the team enters", () => {
  const [{ url, variables }] = server.remotes;

  expect(server.version).toBe(readJson("package.json").version);
  expect(url.replace("{host}", "pages.example.com")).toBe(`https://pages.example.com${callMcpRoute.path}`);
  expect(Object.keys(variables)).toEqual(["host"]);
});
