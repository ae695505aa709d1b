import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { mapFileOf, readBuildId } from "./build-id.ts";
import { type FunctionSource, functionSources, ingestSource } from "./function-source.ts";
import type { MappedBundle } from "./source-position.ts";

/**
 * Finds the bundle with a build id, and its source map. The map is created on first use, because maps would double the bundling time.
 * Returns undefined if the bundle is missing or the source files have changed.
 *
 * @param functionsDirectory folder that contains each function's bundle; the map is stored beside this folder
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

/**
 * Tail of the queue that creates source maps one at a time. The bundler's process is stopped after each map, because an idle bundler takes
 * much memory.
 */
let last: Promise<unknown> = Promise.resolve();

function makeMap(source: FunctionSource, hash: string, file: string): Promise<boolean> {
  const made = last.then(() => makeNextMap(source, hash, file));
  last = made.catch(() => {});
  return made;
}

/** Creates a source map. Returns false if the current sources produce another build. */
async function makeNextMap(source: FunctionSource, hash: string, file: string): Promise<boolean> {
  // Imported on demand, because the bundler is large.
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

/** Moves a file by copying and renaming, so that readers never see an incomplete file. */
async function moveFile(from: string, to: string): Promise<void> {
  await copyFile(from, `${to}.new`);
  await rename(`${to}.new`, to);
}
