// @module-tag slow

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { assetDirectoryOf, loadTemplate, resourcesOfType } from "@dropleaf/local-cloud/template";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bundleFunctions } from "../../lib/bundle/bundle.ts";
import { functionSources } from "../../lib/bundle/function-source.ts";
import { BuildProcess } from "../../local/build-process.ts";
import { type DeferredBundles, synthesizeDeferred } from "../../local/deferred-bundles.ts";

const directory = mkdtempSync(join(tmpdir(), "dropleaf-deferred-"));
const cacheDirectory = join(directory, "cache");
afterAll(() => {
  rmSync(directory, { recursive: true });
  rmSync(`${cacheDirectory}.lock`, { force: true });
});

const settings = {
  baseUrl: "http://localhost:8787",
  identityProvider: { kind: "oidc", issuer: "http://localhost:8788" },
} as const;

let starts = 0;
async function start() {
  starts += 1;
  const output = join(directory, `output-${starts}`);
  const bundles = await synthesizeDeferred(settings, output, { port: 8787, cacheDirectory });
  return { bundles, output };
}

/** Finds the folder with a function's code by the name of its handler. */
function folderOf(output: string, exportName: string): string {
  const template = loadTemplate(output);
  const resource = resourcesOfType(template, "AWS::Lambda::Function").find(
    ({ properties }) => properties.Handler === `index.${exportName}`,
  );
  if (resource === undefined) throw new Error(`no function ${exportName}`);
  return assetDirectoryOf(template, resource);
}

function contentsOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

describe("a stack whose functions are bundled at their first call", () => {
  let bundles: DeferredBundles;
  let output: string;
  beforeAll(async () => {
    ({ bundles, output } = await start());
  });

  test("has the same files as a deployment in each function that is called", async () => {
    const ids = ["show-home-page", "serve-documents"];
    const sources = functionSources.filter(({ id }) => ids.includes(id));
    const whole = join(directory, "whole");
    await bundleFunctions(sources, whole);

    for (const { id, exportName } of sources) {
      const folder = folderOf(output, exportName);
      expect(existsSync(join(folder, "index.mjs"))).toBe(false);
      await bundles.prepareCode(folder);

      expect(contentsOf(folder)).toEqual(contentsOf(join(whole, id)));
      expect(basename(await bundles.bundlesOf(join(folder, "index.mjs")))).toMatch(/^[0-9a-f]{32}$/);
    }
    expect(sources).toHaveLength(2);
  });

  test("keeps a bundle for the next start with the same sources, which starts no bundler", async () => {
    await bundles.prepareCode(folderOf(output, "viewDrop"));
    const bundle = vi.spyOn(BuildProcess.prototype, "bundle");
    const next = await start();

    const folder = folderOf(next.output, "viewDrop");
    await next.bundles.prepareCode(folder);
    await next.bundles.prepareCode(folder);

    expect(existsSync(join(folder, "index.mjs"))).toBe(true);
    expect(bundle).not.toHaveBeenCalled();
    bundle.mockRestore();
  });
});

test("an unknown function is refused by the build process, which can bundle others afterwards", async () => {
  const build = new BuildProcess();

  await expect(build.bundle("no-such-function")).rejects.toThrow("no-such-function");
  expect(existsSync((await build.bundle("view-drop")).directory)).toBe(true);
  build.end();
});
