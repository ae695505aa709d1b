import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { projectDirectory } from "../project-directory.ts";

/** Default cache folder for build results. `npm ci` empties this folder. */
export const defaultCacheDirectory = join(projectDirectory, "node_modules/.cache/dropleaf");

/**
 * Returns the folder for Node's compile cache; see `module.enableCompileCache()`, Node.js documentation. Node never deletes entries, so
 * each day has its own folder.
 */
export function compileCacheDirectory(): string {
  return join(defaultCacheDirectory, `compiled-${new Date().toISOString().slice(0, 10)}`);
}

/** Retention of unused entries, in milliseconds. */
const unusedKeptMs = 24 * 60 * 60 * 1000;

/**
 * Returns a string that changes with a file. For a source file, this is its hash. For a package's file, this is its size and modification
 * time, which is fast for thousands of files.
 *
 * @param path relative to the root of the project
 */
export function stateOf(path: string): string {
  const file = resolve(projectDirectory, path);
  const state = statSync(file, { throwIfNoEntry: false });
  if (!state?.isFile()) return "gone";
  return isOfPackage(path) ? `${state.size} ${state.mtimeMs}` : hashOf(readFileSync(file));
}

/** Folders with all sources of templates and bundles, except packages. */
const sourceFolders = ["functions", "lib"];
const sourceFiles = ["package.json", "package-lock.json", "tsconfig.json"];
/**
 * File that npm writes on each installation. The content is hashed, because it is often unchanged although the modification time is new.
 */
const installedFile = join(projectDirectory, "node_modules/.package-lock.json");

/** Returns the project's source files for templates and bundles. */
export function sourcePaths(): string[] {
  const inFolders = sourceFolders.flatMap((folder) =>
    readdirSync(join(projectDirectory, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(projectDirectory, join(parentPath, name))),
  );
  return [...sourceFiles, ...inFolders.sort()];
}

/** Returns strings that change with the source files and with the installed packages. */
export function stateOfSources(): readonly string[] {
  const states = sourcePaths().map((path) => `${path} ${stateOf(path)}`);
  return [existsSync(installedFile) ? hashOf(readFileSync(installedFile)) : "unknown", ...states];
}

/** Returns true for files of packages. */
export function isOfPackage(path: string): boolean {
  return /(^|\/)node_modules\//.test(path);
}

/** Returns true if a file was changed or removed since the given time, so that content read since then may be incomplete. */
export function isChangedSince(path: string, timeMs: number): boolean {
  const state = statSync(resolve(projectDirectory, path), { throwIfNoEntry: false });
  return state === undefined || state.mtimeMs >= timeMs;
}

/** Returns the content's hash, shortened to 32 digits. */
export function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

/** Name of the file that replaces a function's code until the function is bundled. The file contains the function's id. */
export const deferredFile = "function-id";

/** Marks cache entries as used, which keeps them for another day. */
export async function markUsed(paths: readonly string[]): Promise<void> {
  const now = new Date();
  await Promise.all(paths.map((path) => utimes(path, now, now)));
}

/** Removes cache entries that have not been used for a day. */
export async function removeUnused(cacheDirectory: string): Promise<void> {
  for (const name of await readdir(cacheDirectory)) {
    const path = join(cacheDirectory, name);
    const state = await stat(path).catch(() => undefined);
    // Another process may have removed the entry in the meantime.
    if (state === undefined || Date.now() - state.mtimeMs <= unusedKeptMs) continue;
    await rm(path, { recursive: true, force: true });
  }
}
