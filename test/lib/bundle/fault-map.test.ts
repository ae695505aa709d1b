import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { mapFileOf, readBuildId } from "../../../lib/bundle/build-id.ts";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import { findOrMakeMap } from "../../../lib/bundle/fault-map.ts";
import { handlerSource } from "../../../lib/bundle/function-source.ts";

const directory = mkdtempSync(join(tmpdir(), "dropleaf-map-"));
afterAll(() => rmSync(directory, { recursive: true }));

function buildOf(functionsDirectory: string, id: string): string {
  return readBuildId(readFileSync(join(functionsDirectory, id, "index.mjs"), "utf8")) ?? "";
}

test("a bundle's source map is built on demand, even if others were bundled with it, and stored", async () => {
  const functions = join(directory, "functions");
  await bundleFunctions((["get-me", "show-login-page", "list-drops"] as const).map(handlerSource), functions);
  const build = buildOf(functions, "show-login-page");

  const found = await findOrMakeMap(functions, `${build}@3f2a9c1d4e5b`);

  expect(JSON.parse(found?.map ?? "{}").sources).toContain("functions/identity/show-login-page.ts");
  expect(readBuildId(found?.code ?? "")).toBe(build);
  expect(existsSync(mapFileOf(functions, build))).toBe(true);
});

test("a build whose sources have changed has no source map", async () => {
  const functions = join(directory, "changed");
  const file = join(directory, "say.ts");
  const source = { id: "say", file, exportName: "say" };
  writeFileSync(file, "export const say = () => 1;");
  await bundleFunctions([source], functions);
  writeFileSync(file, "export const say = () => 2;");

  expect(await findOrMakeMap(functions, buildOf(functions, "say"), [source])).toBeUndefined();
});
