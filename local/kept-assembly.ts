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
import type { Synthesized, SynthesizeOptions } from "../lib/synthesize.ts";
import { exclusively } from "./file-lock.ts";
import { synthesizeApart } from "./synthesize-apart.ts";

/** What the stack is made for, besides its settings. */
export interface KeptAssemblyOptions extends Omit<SynthesizeOptions, "isForDeployment"> {
  /** The service's port, which settings may name; the identity provider takes the next one. */
  readonly port: number;
  /** @default - below node_modules */
  readonly cacheDirectory?: string;
  /** What was changed later may be otherwise in the modules of this process. @default - when the process began */
  readonly unchangedSinceMs?: number;
}

/** What `findOrSynthesize` has written. */
export type PreparedAssembly = Pick<Synthesized, "functionsDirectory">;

/** A synthesized stack in the cache: its template, and a file that says what else belongs to it. */
interface KeptAssembly {
  readonly directory: string;
  readonly functionsDirectory: string;
  /** Names of folders and files in the cache: code, which many assemblies share. */
  readonly assets: readonly string[];
  /** The state of each file of a package that is in a bundle. */
  readonly packageFiles: Readonly<Record<string, string>>;
}

const keptFile = "kept.json";

/** What is kept was made for these ports of the service and of what it is told of on this machine, and is read for any. */
const keptPort = 8787;
const keptPortsOfOthers = 18_787;

/**
 * Writes the stack for this machine into a folder, as `synthesize` does, of what an earlier time has made of the same
 * sources, packages and settings: then neither the CDK nor the bundler is run.
 *
 * @throws Error when a setting is wrong or a function cannot be bundled
 */
export async function findOrSynthesize(
  settings: Settings,
  outputDirectory: string,
  { port, cacheDirectory = defaultCacheDirectory, unchangedSinceMs, ...options }: KeptAssemblyOptions,
): Promise<PreparedAssembly> {
  if (options.isForDebugger) {
    return synthesizeApart(settings, outputDirectory, options);
  }
  const ports = keptPortsOf(JSON.stringify(settings), port);
  const keptSettings = withPorts(JSON.stringify(settings), ports);
  const find = () => findKept(cacheDirectory, placeOf(cacheDirectory, keptSettings, options));
  let kept = await find();
  if (kept === undefined) {
    await mkdir(cacheDirectory, { recursive: true });
    // Who waits here finds what the other process has made.
    kept = await exclusively(`${cacheDirectory}.lock`, async () => {
      return (await find()) ?? (await make(keptSettings, options, cacheDirectory, unchangedSinceMs));
    });
  }
  const givenPorts = new Map([...ports].map(([given, keptAs]) => [keptAs, given]));
  await writeAssembly(kept, givenPorts, cacheDirectory, resolve(outputDirectory));
  return kept;
}

/** A name that changes with everything that the assembly is made of, besides packages' files. */
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
    kept.functionsDirectory,
    `${kept.functionsDirectory}-maps`,
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
  unchangedSinceMs = performance.timeOrigin,
): Promise<KeptAssembly> {
  await removeUnused(cacheDirectory);
  const place = placeOf(cacheDirectory, keptSettings, options);
  const directory = await mkdtemp(join(cacheDirectory, "new-"));
  const { functionsDirectory, bundledFiles } = await synthesizeApart(
    JSON.parse(keptSettings),
    directory,
    options,
  ).catch(async (error) => {
    await rm(directory, { recursive: true, force: true });
    throw error;
  });
  const assets = (await readdir(directory)).filter((name) => name.startsWith("asset."));
  for (const name of assets) await moveInto(cacheDirectory, directory, name);
  const packageFiles = bundledFiles.filter(isOfPackage);
  const kept = {
    functionsDirectory,
    assets,
    packageFiles: Object.fromEntries(packageFiles.map((path) => [path, stateOf(path)])),
  };
  await writeFile(join(directory, keptFile), JSON.stringify(kept));
  const isAsItWas =
    ![...sourcePaths(), ...packageFiles].some((path) => isChangedSince(path, unchangedSinceMs)) &&
    place === placeOf(cacheDirectory, keptSettings, options);
  // What nothing can find later goes with what is not used any more.
  if (!isAsItWas) return { ...kept, directory };
  await rm(place, { recursive: true, force: true });
  await rename(directory, place);
  return { ...kept, directory: place };
}

/** Assets are named by what they hold: one that is there is the same. */
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
  // A link to a file takes rights on Windows that one to a folder does not.
  if (statSync(target).isFile()) await copyFile(target, join(directory, name));
  else await symlink(target, join(directory, name), "junction");
}

/**
 * The ports of this machine that the settings name, each with the one that it is kept as: the service's and its identity
 * provider's, and those of others in the order in which they are named.
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

/** The text with other ports of this machine where it names those that are given; what else it names stays. */
function withPorts(text: string, ports: ReadonlyMap<number, number>): string {
  return text.replaceAll(
    localAddress,
    (_address, digits: string) => `localhost:${ports.get(Number(digits)) ?? digits}`,
  );
}
