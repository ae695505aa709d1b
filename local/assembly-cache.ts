import { existsSync, readFileSync, statSync } from "node:fs";
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  defaultCacheDirectory,
  hashOf,
  isChangedSince,
  isOfPackage,
  markUsed,
  removeUnused,
  sourcePaths,
  stateOf,
  stateOfSources,
} from "../lib/bundle/cache-directory.ts";
import type { Settings } from "../lib/settings.ts";
import type { SynthesizeOptions } from "../lib/synthesize.ts";
import { BuildProcess } from "./build-process.ts";
import { withFileLock } from "./file-lock.ts";

/** Options of `findOrSynthesize`. */
export interface AssemblyOptions extends Omit<SynthesizeOptions, "isForDeployment"> {
  /** Port of the service, which the settings may contain. The identity provider uses the next port. */
  readonly port: number;
  /** Folder of the cache. @default - a folder below node_modules */
  readonly cacheDirectory?: string;
  /** Start time of this process. Sources that changed later may differ from the loaded modules. @default - `performance.timeOrigin` */
  readonly unchangedSinceMs?: number;
  /** Logs a line about work that takes seconds. @default - nothing is logged */
  readonly log?: (line: string) => void;
  /** A running build process. @default - a new process, which ends after the synthesis */
  readonly build?: Synthesizer;
}

/** A build process, or a substitute for tests. */
export type Synthesizer = Pick<BuildProcess, "synthesize">;

/** Result of `findOrSynthesize`, after the stack was written. */
export interface PreparedAssembly {
  /** Returns the stack's cache folder for the current sources. Returns undefined if the stack is not cached. */
  readonly keptIn: () => string | undefined;
}

/** A synthesized stack in the cache: a folder with its template, and the locations of its other parts. */
interface KeptAssembly {
  readonly directory: string;
  /** Folder of the bundled functions. @default - functions are not bundled yet */
  readonly functionsDirectory?: string | undefined;
  /** Names of assets in the cache, which several stacks share. */
  readonly assets: readonly string[];
  /** State of each npm package file in the bundles, by path. */
  readonly packageFiles: Readonly<Record<string, string>>;
}

const keptFile = "kept.json";

/** Placeholder ports in cached stacks: the first for the service, the second and later ones for other local addresses in the settings. */
const keptPort = 8787;
const keptPortsOfOthers = 18_787;

/**
 * Writes the stack for this machine into a folder. Uses the cached stack if sources, packages and settings are unchanged.
 * Otherwise runs the CDK and the bundler.
 *
 * @throws Error if a setting is invalid or a function cannot be bundled
 */
export async function findOrSynthesize(
  settings: Settings,
  outputDirectory: string,
  {
    port,
    cacheDirectory = defaultCacheDirectory,
    unchangedSinceMs,
    build,
    log = () => {},
    ...options
  }: AssemblyOptions,
): Promise<PreparedAssembly> {
  const ports = keptPortsOf(JSON.stringify(settings), port);
  const keptSettings = withPorts(JSON.stringify(settings), ports);
  const find = () => findKept(cacheDirectory, placeOf(cacheDirectory, keptSettings, options));
  let kept = await find();
  if (kept === undefined) {
    log(
      "Synthesizing the stack, which takes a few seconds. Later starts reuse the stack until code or settings change.",
    );
    await mkdir(cacheDirectory, { recursive: true });
    // Checks the cache again, because another process may have cached the stack while this process waited for the lock.
    kept = await withFileLock(`${cacheDirectory}.lock`, async () => {
      return (
        (await find()) ?? (await make(keptSettings, options, cacheDirectory, { unchangedSinceMs, build }))
      );
    });
  }
  const givenPorts = new Map([...ports].map(([given, keptAs]) => [keptAs, given]));
  await writeAssembly(kept, givenPorts, cacheDirectory, resolve(outputDirectory));
  const keptIn = () => {
    const place = placeOf(cacheDirectory, keptSettings, options);
    return existsSync(join(place, keptFile)) ? place : undefined;
  };
  return { keptIn };
}

/** Synthesizes the stack in a new process, which ends afterwards. */
const ownProcess: Synthesizer = {
  async synthesize(...given) {
    const build = new BuildProcess();
    return build.synthesize(...given).finally(() => build.end());
  },
};

/** Cache folder of a stack. Its name is a hash of sources, settings and options. */
function placeOf(cacheDirectory: string, keptSettings: string, options: SynthesizeOptions): string {
  const place = hashOf(JSON.stringify([keptSettings, options, stateOfSources()]));
  return join(cacheDirectory, `assembly-${place}`);
}

async function findKept(cacheDirectory: string, directory: string): Promise<KeptAssembly | undefined> {
  const file = join(directory, keptFile);
  if (!existsSync(file)) return undefined;
  const kept = JSON.parse(readFileSync(file, "utf8")) as Omit<KeptAssembly, "directory">;
  const needed = [
    directory,
    ...(kept.functionsDirectory === undefined
      ? []
      : [kept.functionsDirectory, `${kept.functionsDirectory}-maps`]),
    ...kept.assets.map((name) => join(cacheDirectory, name)),
  ];
  const isWhole =
    needed.every((path) => existsSync(path)) &&
    Object.entries(kept.packageFiles).every(([path, state]) => stateOf(path) === state);
  if (!isWhole) return undefined;
  await markUsed(needed);
  return { ...kept, directory };
}

async function make(
  keptSettings: string,
  options: SynthesizeOptions,
  cacheDirectory: string,
  {
    unchangedSinceMs = performance.timeOrigin,
    build = ownProcess,
  }: Pick<AssemblyOptions, "unchangedSinceMs" | "build">,
): Promise<KeptAssembly> {
  await removeUnused(cacheDirectory);
  const place = placeOf(cacheDirectory, keptSettings, options);
  const directory = await mkdtemp(join(cacheDirectory, "new-"));
  const { functionsDirectory, bundledFiles } = await build
    .synthesize(JSON.parse(keptSettings), directory, options)
    .catch(async (error) => {
      await rm(directory, { recursive: true, force: true });
      throw error;
    });
  const assets = (await readdir(directory)).filter((name) => name.startsWith("asset."));
  for (const name of assets) await moveInto(cacheDirectory, directory, name);
  const packageFiles = bundledFiles.filter(isOfPackage);
  if (options.isDeferred) await rm(functionsDirectory, { recursive: true });
  const kept = {
    functionsDirectory: options.isDeferred ? undefined : functionsDirectory,
    assets,
    packageFiles: Object.fromEntries(packageFiles.map((path) => [path, stateOf(path)])),
  };
  await writeFile(join(directory, keptFile), JSON.stringify(kept));
  const isAsItWas =
    ![...sourcePaths(), ...packageFiles].some((path) => isChangedSince(path, unchangedSinceMs)) &&
    place === placeOf(cacheDirectory, keptSettings, options);
  // If sources changed in the meantime, the folder keeps its temporary name. Later runs do not find it, and `removeUnused` deletes it.
  if (!isAsItWas) return { ...kept, directory };
  await rm(place, { recursive: true, force: true });
  await rename(directory, place);
  return { ...kept, directory: place };
}

/** Moves an asset into the cache. Its name is a hash of its content, so an asset that already has this name is identical. */
async function moveInto(cacheDirectory: string, directory: string, name: string): Promise<void> {
  const place = join(cacheDirectory, name);
  if (existsSync(place)) await rm(join(directory, name), { recursive: true });
  else await rename(join(directory, name), place);
}

async function writeAssembly(
  { directory, assets }: KeptAssembly,
  ports: ReadonlyMap<number, number>,
  cacheDirectory: string,
  outputDirectory: string,
): Promise<void> {
  await mkdir(outputDirectory, { recursive: true });
  const files = (await readdir(directory)).filter((name) => name.endsWith(".json") && name !== keptFile);
  for (const name of files) {
    const text = await readFile(join(directory, name), "utf8");
    await writeFile(join(outputDirectory, name), withPorts(text, ports));
  }
  await Promise.all(assets.map((name) => linkInto(outputDirectory, join(cacheDirectory, name), name)));
}

async function linkInto(directory: string, target: string, name: string): Promise<void> {
  // Copies files, because links to files need more permissions on Windows than links to folders.
  if (statSync(target).isFile()) await copyFile(target, join(directory, name));
  else await symlink(target, join(directory, name), "junction");
}

/**
 * Maps the local ports in the settings to the placeholder ports of the cached stack. The service's port is first, then its identity
 * provider's, then others in order of appearance.
 */
function keptPortsOf(settingsText: string, port: number): ReadonlyMap<number, number> {
  const named = [...settingsText.matchAll(localAddress)].map(([, digits]) => Number(digits));
  const others = [...new Set(named)].filter((one) => one !== port && one !== port + 1);
  return new Map([
    [port, keptPort],
    [port + 1, keptPort + 1],
    ...others.map((other, index): [number, number] => [other, keptPortsOfOthers + index]),
  ]);
}

const localAddress = /\blocalhost:(\d+)(?!\d)/g;

/** Replaces the ports of local addresses in a text. */
function withPorts(text: string, ports: ReadonlyMap<number, number>): string {
  return text.replaceAll(
    localAddress,
    (_address, digits: string) => `localhost:${ports.get(Number(digits)) ?? digits}`,
  );
}
