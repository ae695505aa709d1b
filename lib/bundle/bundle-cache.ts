import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { version } from "esbuild";
import { bundleFunctions, type FunctionBundles, writeFunctionFile } from "./bundle.ts";
import {
  defaultCacheDirectory,
  hashOf,
  isChangedSince,
  markUsed,
  removeUnused,
  stateOf,
} from "./cache-directory.ts";
import type { FunctionFile } from "./function-files.ts";
import type { FunctionSource } from "./function-source.ts";

type CachedBundles = Pick<FunctionBundles, "directory" | "inputs">;

/** Latest bundle of each function, by id. */
type LastBundles = Readonly<Record<string, LastBundle>>;

interface LastBundle {
  /** Hash of the function's description and input files at the time of bundling. */
  readonly fingerprint: string;
  readonly inputs: readonly string[];
  /** Folder of the bundle. */
  readonly directory: string;
}

/** Bundles functions, and reuses earlier bundles if no input file has changed according to `stateOf`. Not for deployments. */
export async function findOrBundleFunctions(
  sources: readonly FunctionSource[],
  cacheDirectory = defaultCacheDirectory,
): Promise<CachedBundles> {
  // The start time is taken before any file is read, so that changes during bundling are noticed.
  const startedAtMs = Date.now();
  const last = readLast(cacheDirectory);
  const fingerprintOf = fingerprinting();
  const unchanged = sources.flatMap((source) => {
    const bundle = last[source.id];
    return bundle?.fingerprint === fingerprintOf(source, bundle?.inputs ?? [])
      ? [[source.id, bundle] as const]
      : [];
  });
  const found = join(cacheDirectory, placeNameOf(new Map(unchanged)));
  if (unchanged.length === sources.length && existsSync(found)) {
    await markUsed([found, `${found}-maps`]);
    return { directory: found, inputs: new Map(unchanged.map(([id, { inputs }]) => [id, inputs])) };
  }
  return bundleInto(cacheDirectory, sources, new Map(unchanged), startedAtMs);
}

async function bundleInto(
  cacheDirectory: string,
  sources: readonly FunctionSource[],
  unchanged: ReadonlyMap<string, LastBundle>,
  startedAtMs: number,
): Promise<CachedBundles> {
  await mkdir(cacheDirectory, { recursive: true });
  await removeUnused(cacheDirectory);
  // Bundles are written to a temporary folder until they are complete, because several processes may bundle at the same time.
  const directory = await mkdtemp(join(cacheDirectory, "new-"));
  const functions = join(directory, "functions");
  const inputs = new Map(await takeOver(sources, unchanged, functions));
  const changed = sources.filter(({ id }) => !inputs.has(id));
  const made = await bundleFunctions(changed, functions).catch(async (error) => {
    await rm(directory, { recursive: true });
    throw error;
  });
  for (const [id, own] of made.inputs) inputs.set(id, own);
  // If a file was saved during bundling, a bundle may contain its old or its new content, so the result is not cached.
  if ([...new Set([...inputs.values()].flat())].some((path) => isChangedSince(path, startedAtMs))) {
    return { directory: functions, inputs };
  }
  const fingerprintOf = fingerprinting();
  const bundles = sources.map((source) => {
    const own = inputs.get(source.id) ?? [];
    return [source.id, { fingerprint: fingerprintOf(source, own), inputs: own }] as const;
  });
  const place = join(cacheDirectory, placeNameOf(new Map(bundles)));
  // The folder for source maps is created first, so that it exists as soon as the bundles do.
  await mkdir(`${place}-maps`, { recursive: true });
  await rename(functions, place).catch((error) => {
    if (!existsSync(place)) throw error;
  });
  const last: LastBundles = {
    // Keeps the entries of functions that are not in this stack.
    ...readLast(cacheDirectory),
    ...Object.fromEntries(bundles.map(([id, bundle]) => [id, { ...bundle, directory: place }])),
  };
  await writeFile(join(directory, lastFile), JSON.stringify(last));
  await rename(join(directory, lastFile), join(cacheDirectory, lastFile));
  await rm(directory, { recursive: true });
  return { directory: place, inputs };
}

/** Copies unchanged bundles and returns their input files. Skips bundles that another process has removed. */
async function takeOver(
  sources: readonly FunctionSource[],
  unchanged: ReadonlyMap<string, LastBundle>,
  functions: string,
): Promise<(readonly [id: string, inputs: readonly string[]])[]> {
  const places = new Set([...unchanged.values()].map(({ directory }) => directory));
  const there = [...places].filter((place) => existsSync(place));
  // The folders are marked as used before copying, so that no other process removes them in the meantime.
  await markUsed(there);
  const taken = [...unchanged].filter(([id, { directory }]) => existsSync(join(directory, id, "index.mjs")));
  await Promise.all(
    taken.map(([id, { directory }]) => {
      const files = sources.find((source) => source.id === id)?.files?.() ?? [];
      return copyFunction(join(directory, id), join(functions, id), files);
    }),
  );
  return taken.map(([id, { inputs }]) => [id, inputs]);
}

/** Copies a function's folder, and hard-links the files of packages: the browser alone takes 70 MB. */
async function copyFunction(from: string, to: string, files: readonly FunctionFile[]): Promise<void> {
  const linked = files.filter((file) => "file" in file);
  const paths = new Set(linked.map(({ name }) => join(from, name)));
  await cp(from, to, { recursive: true, filter: (path) => !paths.has(path) });
  for (const file of linked) await writeFunctionFile(file, to);
}

const lastFile = "bundles.json";

function readLast(cacheDirectory: string): LastBundles {
  try {
    return JSON.parse(readFileSync(join(cacheDirectory, lastFile), "utf8"));
  } catch {
    return {};
  }
}

function placeNameOf(bundles: ReadonlyMap<string, { readonly fingerprint: string }>): string {
  return hashOf(JSON.stringify([...bundles].map(([id, { fingerprint }]) => [id, fingerprint])));
}

/** Files that affect every bundle, even if they are not among its inputs. */
const commonFiles = [
  "lib/bundle/bundle.ts",
  "lib/bundle/build-id.ts",
  "lib/bundle/page-assets.ts",
  "package-lock.json",
];

/** Returns a function that computes fingerprints. Each file is read once, because most files are in every bundle. */
function fingerprinting(): (source: FunctionSource, inputs: readonly string[]) => string {
  const states = new Map<string, string>();
  const lineOf = (path: string) => {
    const known = states.get(path) ?? `${path} ${stateOf(path)}`;
    states.set(path, known);
    return known;
  };
  return (source, inputs) =>
    hashOf(
      JSON.stringify([
        version,
        { ...source, files: source.files?.() },
        [...commonFiles, ...inputs].map(lineOf),
      ]),
    );
}
