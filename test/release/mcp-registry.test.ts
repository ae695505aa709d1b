import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { callMcpRoute } from "../../functions/mcp/rows.ts";
import { projectDirectory } from "../../lib/project-directory.ts";

const readJson = (path: string) => JSON.parse(readFileSync(join(projectDirectory, path), "utf8"));
const server = readJson("server.json");
const schema = readJson("test/release/mcp-server-2025-12-11.schema.json");

function errorsOf(value: unknown): unknown {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  validate(value);
  return validate.errors ?? [];
}

test("server.json is what the schema of MCP's registry wants", () => {
  expect(server.$schema).toBe(schema.$id);
  expect(errorsOf(server)).toEqual([]);
  expect(errorsOf({ ...server, description: "d".repeat(101) })).not.toEqual([]);
  expect(errorsOf({ ...server, remotes: [{ type: "streamable-http" }] })).not.toEqual([]);
});

test("server.json has the version of package.json, and leads each team to its own host's MCP server", () => {
  const [{ url, variables }] = server.remotes;

  expect(server.version).toBe(readJson("package.json").version);
  expect(url.replace("{host}", "pages.example.com")).toBe(`https://pages.example.com${callMcpRoute.path}`);
  expect(Object.keys(variables)).toEqual(["host"]);
});
