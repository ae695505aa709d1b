import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { version } from "esbuild";
import { bundleFunctions, type FunctionBundles } from "./bundle.ts";
import {
  defaultCacheDirectory,
  hashOf,
  isChangedSince,
  markUsed,
  removeUnused,
  stateOf,
} from "./cache-directory.ts";
import type { FunctionSource } from "./function-source.ts";

/**
 * Bundles functions, or finds the bundles of an earlier time when no file that they were made of has changed since, as
 * `stateOf` tells it: not for what is deployed.
 */
export async function findOrBundleFunctions(
  sources: readonly FunctionSource[],
  cacheDirectory = defaultCacheDirectory,
): Promise<Pick<FunctionBundles, "directory" | "inputs">> {
  const inputs = readInputs(cacheDirectory);
  const found = inputs && join(cacheDirectory, fingerprint(sources, inputs));
  if (found && existsSync(found)) {
    await markUsed([found, `${found}-maps`]);
    return { directory: found, inputs };
  }
  return bundleInto(cacheDirectory, sources);
}

async function bundleInto(
  cacheDirectory: string,
  sources: readonly FunctionSource[],
): Promise<Pick<FunctionBundles, "directory" | "inputs">> {
  const startedAtMs = Date.now();
  await mkdir(cacheDirectory, { recursive: true });
  await removeUnused(cacheDirectory);
  // In a folder of its own until it is complete: several processes may be at it.
  const directory = await mkdtemp(join(cacheDirectory, "new-"));
  const { inputs } = await bundleFunctions(sources, join(directory, "functions")).catch(async (error) => {
    await rm(directory, { recursive: true });
    throw error;
  });
  // What was saved while it was being bundled may or may not be in the bundle.
  if (inputs.some((path) => isChangedSince(path, startedAtMs))) {
    return { directory: join(directory, "functions"), inputs };
  }
  const place = join(cacheDirectory, fingerprint(sources, inputs));
  // First: where there are bundles, there is a place for their maps, whoever makes some.
  await mkdir(`${place}-maps`, { recursive: true });
  await rename(join(directory, "functions"), place).catch((error) => {
    if (!existsSync(place)) throw error;
  });
  await writeFile(join(directory, "inputs.json"), JSON.stringify(inputs));
  await rename(join(directory, "inputs.json"), join(cacheDirectory, "inputs.json"));
  await rm(directory, { recursive: true });
  return { directory: place, inputs };
}

function readInputs(cacheDirectory: string): readonly string[] | undefined {
  try {
    return JSON.parse(readFileSync(join(cacheDirectory, "inputs.json"), "utf8"));
  } catch {
    return undefined;
  }
}

function fingerprint(sources: readonly FunctionSource[], inputs: readonly string[]): string {
  const withFiles = sources.map((source) => ({ ...source, files: source.files?.() }));
  // How bundles are made, and which packages there are to choose from, is not among what they are made of.
  const paths = ["lib/bundle.ts", "lib/build-id.ts", "lib/page-assets.ts", "package-lock.json", ...inputs];
  const states = paths.map((path) => `${path} ${stateOf(path)}`);
  return hashOf(JSON.stringify([version, withFiles, states]));
}
