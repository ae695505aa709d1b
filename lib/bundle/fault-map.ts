import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { mapFileOf, readBuildId } from "./build-id.ts";
import { type FunctionSource, functionSources, ingestSource } from "./function-source.ts";
import type { MappedBundle } from "./source-position.ts";

/**
 * The bundle of a build and its source map, made on first use, since maps would double the bundling time. Undefined if there is
 * no such bundle, or its sources have changed.
 *
 * @param functionsDirectory bundles by the ids of their sources; the map is stored beside them
 */
export async function findOrMakeMap(
  functionsDirectory: string,
  build: string,
  sources: readonly FunctionSource[] = [...functionSources, ingestSource],
): Promise<MappedBundle | undefined> {
  const hash = build.replace(/@.*/, "");
  const bundle = await findBundle(functionsDirectory, hash);
  if (bundle === undefined) return undefined;
  const file = mapFileOf(functionsDirectory, hash);
  const source = sources.find(({ id }) => id === bundle.id);
  if (!existsSync(file) && (source === undefined || !(await makeMap(source, hash, file)))) return undefined;
  return { code: bundle.code, map: await readFile(file, "utf8") };
}

async function findBundle(
  functionsDirectory: string,
  hash: string,
): Promise<{ readonly id: string; readonly code: string } | undefined> {
  for (const id of await readdir(functionsDirectory)) {
    const code = await readFile(join(functionsDirectory, id, "index.mjs"), "utf8");
    if (readBuildId(code)?.replace(/@.*/, "") === hash) return { id, code };
  }
  return undefined;
}

/** Makes source maps one after the other: the end of each stops the bundler's process, which would otherwise hold more memory than all else. */
let last: Promise<unknown> = Promise.resolve();

function makeMap(source: FunctionSource, hash: string, file: string): Promise<boolean> {
  const made = last.then(() => makeNextMap(source, hash, file));
  last = made.catch(() => {});
  return made;
}

/** Makes a source map; false if the current sources give another build. */
async function makeNextMap(source: FunctionSource, hash: string, file: string): Promise<boolean> {
  // Loaded late: the bundler is large.
  const { bundleFunctions } = await import("./bundle.ts");
  const directory = await mkdtemp(join(tmpdir(), "dropleaf-map-"));
  try {
    const functionsDirectory = join(directory, "functions");
    await bundleFunctions([source], functionsDirectory, { hasMaps: true });
    const made = mapFileOf(functionsDirectory, hash);
    if (!existsSync(made)) return false;
    await mkdir(dirname(file), { recursive: true });
    await moveFile(made, file);
    return true;
  } finally {
    await rm(directory, { recursive: true });
    await (await import("esbuild")).stop();
  }
}

/** Renamed into place, so that readers see it whole. */
async function moveFile(from: string, to: string): Promise<void> {
  await copyFile(from, `${to}.new`);
  await rename(`${to}.new`, to);
}
