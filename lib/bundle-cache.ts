import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { version } from "esbuild";
import { bundleFunctions } from "./bundle.ts";
import type { FunctionSource } from "./function-source.ts";

const projectDirectory = resolve(import.meta.dirname, "..");
const defaultCacheDirectory = join(projectDirectory, "node_modules/.cache/dropleaf");

/** How long bundles that nobody uses any more are kept. */
const unusedKeptMs = 24 * 60 * 60 * 1000;

/**
 * Bundles functions, or finds the bundles of an earlier time when no file that they were made of has changed since. The
 * files are told by size and time of change: good enough for a developer's machine, and not for what is deployed.
 *
 * @returns the folder that holds `<id>/index.mjs` of each function, with the maps beside it: `mapFileOf`
 */
export async function findOrBundleFunctions(
  sources: readonly FunctionSource[],
  cacheDirectory = defaultCacheDirectory,
): Promise<string> {
  const inputs = readInputs(cacheDirectory);
  const found = inputs && join(cacheDirectory, fingerprint(sources, inputs));
  if (found && existsSync(found)) {
    for (const kept of [found, `${found}-maps`]) await utimes(kept, new Date(), new Date());
    return found;
  }
  return bundleInto(cacheDirectory, sources);
}

async function bundleInto(cacheDirectory: string, sources: readonly FunctionSource[]): Promise<string> {
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
  if (inputs.some((path) => changedAtMs(path) >= startedAtMs)) return join(directory, "functions");
  const place = join(cacheDirectory, fingerprint(sources, inputs));
  // The maps first: where there are bundles, there are their maps.
  await rename(join(directory, "functions-maps"), `${place}-maps`).catch((error) => {
    if (!existsSync(`${place}-maps`)) throw error;
  });
  await rename(join(directory, "functions"), place).catch((error) => {
    if (!existsSync(place)) throw error;
  });
  await writeFile(join(directory, "inputs.json"), JSON.stringify(inputs));
  await rename(join(directory, "inputs.json"), join(cacheDirectory, "inputs.json"));
  await rm(directory, { recursive: true });
  return place;
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
  const hash = createHash("sha256").update(JSON.stringify([projectDirectory, version, withFiles]));
  // How bundles are made, and which packages there are to choose from, is not among what they are made of.
  for (const path of ["lib/bundle.ts", "lib/page-assets.ts", "package-lock.json", ...inputs])
    hash.update(`${path} ${stateOf(path)}\n`);
  return hash.digest("hex").slice(0, 32);
}

function stateOf(path: string): string {
  const state = statSync(resolve(projectDirectory, path), { throwIfNoEntry: false });
  return state ? `${state.size} ${state.mtimeMs}` : "gone";
}

function changedAtMs(path: string): number {
  return (
    statSync(resolve(projectDirectory, path), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
  );
}

async function removeUnused(cacheDirectory: string): Promise<void> {
  for (const name of await readdir(cacheDirectory)) {
    const path = join(cacheDirectory, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > unusedKeptMs) await rm(path, { recursive: true, force: true });
  }
}
