import { existsSync, readFileSync } from "node:fs";
import { realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deferredFile, markUsed, stateOf } from "../lib/bundle/cache-directory.ts";
import type { Settings } from "../lib/settings.ts";
import { type AssemblyOptions, findOrSynthesize } from "./assembly-cache.ts";
import { BuildProcess } from "./build-process.ts";

/** Functions of a stack that are bundled when they are first called. */
export interface DeferredBundles {
  /** Puts the function's bundle into its asset folder; see `LocalCloudOptions.prepareCode`. */
  readonly prepareCode: (directory: string) => Promise<void>;
  /** Finds the folder of the bundle that contains a module. */
  readonly bundlesOf: (modulePath: string) => Promise<string>;
}

/** Cached bundle of a function, which an earlier run built from the same sources. */
interface KeptBundle {
  readonly directory: string;
  /** State of each npm package file in the bundle, by path. */
  readonly packageFiles: Readonly<Record<string, string>>;
}

/** Options of `synthesizeDeferred`. */
export interface DeferredOptions extends Pick<AssemblyOptions, "cacheDirectory" | "log" | "port"> {
  /** True to bundle functions at every start, unminified and with source maps for a debugger. @default false */
  readonly isForDebugger?: boolean;
}

/**
 * Writes the stack for this machine like `findOrSynthesize`, but without bundles. Bundling all 90 functions takes two thirds of a first
 * start, and a developer calls few of them.
 *
 * @throws Error if a setting is invalid
 */
export async function synthesizeDeferred(
  settings: Settings,
  outputDirectory: string,
  { isForDebugger = false, ...options }: DeferredOptions,
): Promise<DeferredBundles> {
  const build = new BuildProcess();
  const { keptIn } = await findOrSynthesize(settings, outputDirectory, {
    ...options,
    isDeferred: true,
    build,
  });
  return {
    async prepareCode(directory) {
      const file = join(directory, deferredFile);
      // A missing file means that the bundle is already in place, for example after a restart of the server process.
      if (!existsSync(file)) return;
      const id = readFileSync(file, "utf8");
      const bundle = isForDebugger
        ? (await build.bundle(id, join(outputDirectory, "functions"))).directory
        : ((await findBundle(keptIn(), id)) ?? (await makeBundle(build, keptIn, id)));
      await rm(directory, { recursive: true });
      await symlink(bundle, directory, "junction");
    },
    bundlesOf: async (modulePath) => dirname(await realpath(dirname(modulePath))),
  };
}

async function findBundle(keptDirectory: string | undefined, id: string): Promise<string | undefined> {
  const file = keptDirectory === undefined ? "" : recordOf(keptDirectory, id);
  if (!existsSync(file)) return undefined;
  const { directory, packageFiles } = JSON.parse(readFileSync(file, "utf8")) as KeptBundle;
  const isWhole =
    existsSync(directory) && Object.entries(packageFiles).every(([path, state]) => stateOf(path) === state);
  if (!isWhole) return undefined;
  await markUsed([dirname(directory), `${dirname(directory)}-maps`]);
  return directory;
}

async function makeBundle(
  build: BuildProcess,
  keptIn: () => string | undefined,
  id: string,
): Promise<string> {
  const keptBefore = keptIn();
  const { directory, packageFiles } = await build.bundle(id);
  const keptDirectory = keptIn();
  // A bundle is not cached if a source file was saved in the meantime, because the stack may contain the file's earlier content.
  if (keptDirectory === undefined || keptDirectory !== keptBefore) return directory;
  const kept: KeptBundle = {
    directory,
    packageFiles: Object.fromEntries(packageFiles.map((path) => [path, stateOf(path)])),
  };
  const file = recordOf(keptDirectory, id);
  await writeFile(`${file}.new`, JSON.stringify(kept));
  await rename(`${file}.new`, file);
  return directory;
}

function recordOf(keptDirectory: string, id: string): string {
  return join(keptDirectory, `${id}.bundle`);
}
