import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { writeAgentSkill } from "../../functions/discovery/agent-files.ts";
import { skillName } from "../../functions/discovery/text-documents.ts";
import { callMcpRoute } from "../../functions/mcp/rows.ts";
import { projectDirectory } from "../../lib/project-directory.ts";

const readJson = (path: string) => JSON.parse(readFileSync(join(projectDirectory, path), "utf8"));
const marketplace = readJson(".claude-plugin/marketplace.json");
const folder = join(projectDirectory, "plugins/dropleaf");
const manifest = readJson("plugins/dropleaf/.claude-plugin/plugin.json");
const schemas = readJson("test/release/claude-code-plugin.schema.json");

function errorsOf(kind: "manifest" | "marketplace", value: unknown): unknown {
  const validate = new Ajv({ strict: false }).compile({ ...schemas, $ref: `#/definitions/${kind}` });
  validate(value);
  return validate.errors ?? [];
}

test("the plugin's manifest and marketplace are valid by Claude Code's schemas", () => {
  const { type: _, ...untyped } = manifest.userConfig.address;

  expect(errorsOf("manifest", manifest)).toEqual([]);
  expect(errorsOf("manifest", { ...manifest, userConfig: { address: untyped } })).not.toEqual([]);
  expect(errorsOf("manifest", { ...manifest, mcpServers: { dropleaf: { type: "http" } } })).not.toEqual([]);
  expect(errorsOf("marketplace", marketplace)).toEqual([]);
  expect(errorsOf("marketplace", { ...marketplace, plugins: [{ name: "dropleaf" }] })).not.toEqual([]);
});

test("the marketplace contains the plugin, whose version is the one in package.json", () => {
  const [{ name, source, description }] = marketplace.plugins;

  expect(join(projectDirectory, source)).toBe(folder);
  expect({ name, description }).toEqual({ name: manifest.name, description: manifest.description });
  expect(manifest.version).toBe(readJson("package.json").version);
});

test("the plugin's MCP server is at the URL that the person enters", () => {
  expect(manifest.mcpServers.dropleaf.url).toBe(`\${user_config.address}${callMcpRoute.path}`);
  expect(Object.keys(manifest.userConfig)).toEqual(["address"]);
});

test("the plugin's skill is the service's own, with the URL that the person enters", async () => {
  const baseUrl = manifest.mcpServers.dropleaf.url.replace(callMcpRoute.path, "");
  const path = join(folder, "skills", skillName, "SKILL.md");

  expect(existsSync(path)).toBe(true);
  await expect(
    writeAgentSkill({ baseUrl, ownerUrl: (namespace) => `${baseUrl}/@${namespace}` }),
  ).toMatchFileSnapshot(path);
});
