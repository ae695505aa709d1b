import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Refused imports. */
const refused = [
  ["functions/http/planted.ts", "../routes.ts"],
  ["functions/table/planted.ts", "../http/request.ts"],
  ["functions/table/planted.ts", "../events/event.ts"],
  ["functions/http/planted.ts", "../drops/drop.ts"],
  ["functions/http/planted.ts", "../identity/members.ts"],
  ["functions/html/planted.ts", "../gate/gate.ts"],
  ["functions/html/planted.ts", "../routes.ts"],
  ["functions/identity/planted.ts", "../drops/store.ts"],
  ["functions/background/planted.ts", "../drops/store.ts"],
  ["functions/drops/planted.ts", "../blobs/store.ts"],
  ["functions/drops/planted.ts", "../../lib/settings.ts"],
  ["functions/drops/planted.ts", "../table-stream/janitor.ts"],
  ["functions/drops/planted.ts", "../feedback/store.ts"],
  ["functions/blobs/planted.ts", "../viewer/raw-response.ts"],
  ["functions/oauth/planted.ts", "../drops/store.ts"],
  ["functions/events/planted.ts", "../library/listing.ts"],
  ["functions/viewer/planted.ts", "../mcp/server.ts"],
  ["functions/renders/planted.ts", "../feedback/store.ts"],
  ["functions/renders/browser/planted.ts", "../../feedback/store.ts"],
  ["functions/renders/browser/planted.ts", "../../routes.ts"],
  ["functions/feedback/planted.ts", "../library/listing.ts"],
  ["functions/account/planted.ts", "../oauth/grant-store.ts"],
  ["functions/library/planted.ts", "../feedback/store.ts"],
  ["functions/discovery/planted.ts", "../drops/store.ts"],
  ["functions/discovery/openapi/planted.ts", "../../drops/drop.ts"],
  ["functions/discovery/openapi/planted.ts", "../../../lib/settings.ts"],
  ["functions/table-stream/planted.ts", "../../scripts/operator/takedown.ts"],
  ["functions/table-stream/planted.ts", "../mcp/rows.ts"],
  ["functions/mcp/planted.ts", "../ingest/operations.ts"],
  ["functions/ingest/planted.ts", "../mcp/server.ts"],
  ["functions/edge/planted.ts", "../http/limits.ts"],
  ["lib/planted.ts", "../functions/drops/store.ts"],
  ["lib/planted.ts", "../functions/table/table.ts"],
  ["lib/lambda/planted.ts", "../../functions/drops/store.ts"],
  ["lib/edge/planted.ts", "../../functions/table/table.ts"],
  ["lib/edge/planted.ts", "../../local/start-dropleaf.ts"],
  ["packages/local-cloud/src/planted.ts", "../../../functions/core/environment.ts"],
  ["packages/local-cloud/src/lambda/planted.ts", "../../../../lib/bundle/cache-directory.ts"],
  ["packages/local-cloud/src/planted.ts", "../../../local/fault-lines.ts"],
  ["packages/local-cloud/src/planted.ts", "../../../scripts/operator/service.ts"],
  ["packages/local-cloud/test/planted.ts", "../../../bin/local.ts"],
  ["packages/local-cloud/test/planted.ts", "../../../test/support/race.ts"],
  ["packages/cli/src/planted.ts", "../../../functions/core/environment.ts"],
  ["packages/cli/src/commands/planted.ts", "@clack/prompts"],
  ["packages/cli/src/commands/planted.ts", "open"],
] as const;

/** Allowed imports. */
const allowed = [
  ["functions/drops/allowed.ts", "../table/table.ts"],
  ["functions/drops/allowed.ts", "../background/worker.ts"],
  ["functions/viewer/allowed.ts", "../drops/public-drops.ts"],
  ["functions/discovery/allowed.ts", "../drops/schemas.ts"],
  ["functions/discovery/openapi/allowed.ts", "../../routes.ts"],
  ["functions/html/allowed.ts", "../http/limits.ts"],
  ["functions/renders/browser/allowed.ts", "../report.ts"],
  ["functions/renders/browser/allowed.ts", "../../table/table.ts"],
  ["functions/feedback/allowed.ts", "../gate/gate.ts"],
  ["functions/mcp/allowed.ts", "../drops/get-drop.ts"],
  ["lib/allowed.ts", "../functions/drops/rows.ts"],
  ["lib/allowed.ts", "../functions/events/event.ts"],
  ["lib/allowed.ts", "../functions/routes.ts"],
  ["lib/edge/allowed.ts", "../../functions/routes.ts"],
  ["lib/edge/allowed.ts", "../../functions/drops/rows.ts"],
  ["lib/edge/allowed.ts", "../lambda/grants.ts"],
  ["packages/local-cloud/src/allowed.ts", "./lambda/lambda-service.ts"],
  ["packages/local-cloud/test/aws/allowed.ts", "../../src/aws/lambda/lambda-api-service.ts"],
  ["packages/local-cloud/test/aws/allowed.ts", "../fixture-stack.ts"],
] as const;

const cycle = ["functions/drops/one.ts", "functions/drops/other.ts"] as const;
const cycleOfTypes = ["functions/blobs/one.ts", "functions/blobs/other.ts"] as const;

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "dropleaf-boundaries-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Rules that each planted file breaks. */
const rulesBroken = new Map<string, string[]>();

beforeAll(() => {
  cpSync(join(root, "biome.json"), join(folder, "biome.json"));
  for (const { file, imported } of [...refused, ...allowed].map(inFileOfItsOwn)) plant(file, imported);
  for (const [one, other] of [cycle, cycle.toReversed()]) plant(one, `./${basename(other)}`);
  for (const [one, other] of [cycleOfTypes, cycleOfTypes.toReversed()])
    plantType(one, `./${basename(other)}`);
  for (const { category, location } of lint()) {
    const { path } = location;
    rulesBroken.set(path, [...(rulesBroken.get(path) ?? []), category]);
  }
});

/** Gives each import a separate file in its folder. */
function inFileOfItsOwn([path, imported]: readonly [string, string]) {
  return { path, imported, file: path.replace(".ts", `-${imported.replace(/\W+/g, "-")}.ts`) };
}

function plant(path: string, imported: string): void {
  write(path, `import { planted } from "${imported}";\n\nexport const used = planted;\n`);
}

function plantType(path: string, imported: string): void {
  write(path, `import type { Planted } from "${imported}";\n\nexport type Used = Planted;\n`);
}

function write(path: string, code: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code);
}

interface Diagnostic {
  readonly category: string;
  readonly location: { readonly path: string };
}

function lint(): readonly Diagnostic[] {
  const biome = join(root, "node_modules/.bin/biome");
  const words = [
    "lint",
    "--vcs-enabled=false",
    "--reporter=json",
    "--max-diagnostics=none",
    "functions",
    "lib",
    "packages",
  ];
  const { stdout } = spawnSync(biome, words, { cwd: folder, encoding: "utf8" });
  return (JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] }).diagnostics;
}

test.each(refused.map(inFileOfItsOwn))("$path may not import $imported", ({ file }) => {
  expect(rulesBroken.get(file)).toContain("lint/style/noRestrictedImports");
});

test.each(allowed.map(inFileOfItsOwn))("$path may import $imported", ({ file }) => {
  expect(rulesBroken.get(file) ?? []).not.toContain("lint/style/noRestrictedImports");
});

test("two files cannot import each other, not even types", () => {
  for (const path of [...cycle, ...cycleOfTypes])
    expect(rulesBroken.get(path)).toContain("lint/suspicious/noImportCycles");
});

test("no function imports the local cloud", () => {
  const files = readdirSync(join(root, "functions"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => readFileSync(join(root, "functions", file), "utf8").includes('"@dropleaf/local-cloud'));

  expect(files).toEqual([]);
});

test("every folder of functions declares what it can import", () => {
  const { overrides } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
  const bounded = overrides.flatMap(({ includes }: { readonly includes: readonly string[] }) => includes);

  const folders = readdirSync(join(root, "functions"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `functions/${name}/**`);

  expect(folders.filter((folder) => !bounded.includes(folder))).toEqual([]);
});
