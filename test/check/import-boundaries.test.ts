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
  ["functions/platform/planted.ts", "../drops/drop.ts"],
  ["functions/platform/html/planted.ts", "../../pages/gate.ts"],
  ["functions/platform/planted.ts", "../routes.ts"],
  ["functions/accounts/planted.ts", "../drops/store.ts"],
  ["functions/accounts/planted.ts", "../members/store.ts"],
  ["functions/members/planted.ts", "../sign-in/device-codes.ts"],
  ["functions/drops/planted.ts", "../blobs/store.ts"],
  ["functions/drops/planted.ts", "../../lib/settings.ts"],
  ["functions/drops/planted.ts", "../workers/worker.ts"],
  ["functions/blobs/planted.ts", "../drops/store.ts"],
  ["functions/sign-in/planted.ts", "../pages/gate.ts"],
  ["functions/pages/planted.ts", "../sign-in/device-codes.ts"],
  ["functions/discovery/planted.ts", "../drops/store.ts"],
  ["functions/discovery/openapi/planted.ts", "../../drops/drop.ts"],
  ["functions/workers/planted.ts", "../../scripts/operator/takedown.ts"],
  ["functions/workers/planted.ts", "../pages/gate.ts"],
  ["functions/mcp/planted.ts", "../ingest/operations.ts"],
  ["functions/ingest/planted.ts", "../mcp/server.ts"],
  ["functions/edge/planted.ts", "../platform/limits.ts"],
  ["lib/planted.ts", "../functions/drops/store.ts"],
  ["lib/planted.ts", "../functions/platform/table.ts"],
])("%s may not import %s", (path, imported) => {
  expect(lint(path, imported)).toContain("noRestrictedImports");
});

test.each([
  ["functions/drops/allowed.ts", "../platform/table.ts"],
  ["functions/pages/allowed.ts", "../drops/served.ts"],
  ["functions/discovery/allowed.ts", "../drops/schemas.ts"],
  ["functions/discovery/openapi/allowed.ts", "../../routes.ts"],
  ["functions/mcp/allowed.ts", "../drops/get-drop.ts"],
  ["lib/allowed.ts", "../functions/drops/rows.ts"],
  ["lib/allowed.ts", "../functions/routes.ts"],
])("%s may import %s", (path, imported) => {
  expect(lint(path, imported)).not.toContain("noRestrictedImports");
});

test("two files may not import each other", () => {
  const path = "functions/drops/planted.ts";
  writeFileSync(
    join(folder, "functions/drops/other.ts"),
    'import { used } from "./planted.ts";\n\nexport const planted = () => used;\n',
  );

  expect(lint(path, "./other.ts")).toContain("noImportCycles");
});
