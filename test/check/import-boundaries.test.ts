import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "dropleaf-boundaries-"));
cpSync(join(root, "biome.json"), join(folder, "biome.json"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Lints one file of the given content as if it lay in the project, and returns what is said of it. */
function lint(path: string, imported: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `import { planted } from "${imported}";\n\nexport const used = planted;\n`);
  const biome = join(root, "node_modules/.bin/biome");
  const result = spawnSync(biome, ["lint", "--vcs-enabled=false", path], { cwd: folder, encoding: "utf8" });
  return result.stdout + result.stderr;
}

test.each([
  ["functions/contract/planted.ts", "../domain/drop.ts"],
  ["functions/domain/planted.ts", "../store/drops.ts"],
  ["functions/store/planted.ts", "../http/answer.ts"],
  ["functions/views/planted.ts", "../store/drops.ts"],
  ["functions/http/planted.ts", "../handlers/drops/get-drop.ts"],
  ["functions/handlers/drops/planted.ts", "../../../lib/settings.ts"],
  ["functions/handlers/drops/planted.ts", "../../workers/jobs.ts"],
  ["functions/discovery/planted.ts", "../domain/drop.ts"],
  ["functions/contract/openapi/planted.ts", "../../domain/drop.ts"],
  ["functions/workers/planted.ts", "../../scripts/operator/takedown.ts"],
  ["functions/mcp/planted.ts", "../ingest/operations.ts"],
  ["functions/http/planted.ts", "../mcp/server.ts"],
  ["functions/edge/planted.ts", "../contract/limits.ts"],
  ["lib/planted.ts", "../functions/store/drops.ts"],
])("%s may not import %s", (path, imported) => {
  expect(lint(path, imported)).toContain("noRestrictedImports");
});

test.each([
  ["functions/handlers/drops/allowed.ts", "../../store/drops.ts"],
  ["functions/views/allowed.ts", "../contract/limits.ts"],
  ["functions/mcp/allowed.ts", "../handlers/drops/get-drop.ts"],
  ["lib/allowed.ts", "../functions/contract/routes.ts"],
])("%s may import %s", (path, imported) => {
  expect(lint(path, imported)).not.toContain("noRestrictedImports");
});
