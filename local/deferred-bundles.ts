import { existsSync, readFileSync } from "node:fs";
import { realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deferredFile, markUsed, stateOf } from "../lib/bundle/cache-directory.ts";
import type { Settings } from "../lib/settings.ts";
import { type AssemblyOptions, findOrSynthesize } from "./assembly-cache.ts";
import { BuildProcess } from "./build-process.ts";

/** Functions of a stack that are bundled when they are first called. */
export interface DeferredBundles {
  /** Puts the function's bundle into its folder of the assembly: `LocalCloudOptions.prepareCode`. */
  readonly prepareCode: (directory: string) => Promise<void>;
  /** The folder of the bundles that contains a module. */
  readonly bundlesOf: (modulePath: string) => Promise<string>;
}

/** The bundle of a function that an earlier run made from the same sources. */
interface KeptBundle {
  readonly directory: string;
  /** The state of each file of a package that it contains. */
  readonly packageFiles: Readonly<Record<string, string>>;
}

/** Options of `synthesizeDeferred`. */
export interface DeferredOptions extends Pick<AssemblyOptions, "cacheDirectory" | "log" | "port"> {
  /** Bundles functions unminified, with maps for a debugger, at every start. @default false */
  readonly isForDebugger?: boolean;
}

/**
 * Writes the stack for this machine without bundles, as `findOrSynthesize` does: a developer calls few of its 90
 * functions, and bundling them all is two thirds of the work of a first start.
 *
 * @throws Error when a setting is wrong
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
      // A restarted server process finds its bundle.
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
  // Not cached if a source was saved meanwhile: the bundle would be from other sources than the stack.
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
