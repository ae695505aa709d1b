import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { projectDirectory } from "../project-directory.ts";

/** Default cache folder of build results; `npm ci` empties it. */
export const defaultCacheDirectory = join(projectDirectory, "node_modules/.cache/dropleaf");

/**
 * Folder of Node's compile cache: module.enableCompileCache() of Node's documentation. Node never deletes entries, so
 * that each day has a folder.
 */
export function compileCacheDirectory(): string {
  return join(defaultCacheDirectory, `compiled-${new Date().toISOString().slice(0, 10)}`);
}

/** Retention of unused entries. */
const unusedKeptMs = 24 * 60 * 60 * 1000;

/**
 * State of a file: a source's hash, or a package file's size and time of change, which is quick for thousands of files.
 *
 * @param path relative to the root of the project
 */
export function stateOf(path: string): string {
  const file = resolve(projectDirectory, path);
  const state = statSync(file, { throwIfNoEntry: false });
  if (!state?.isFile()) return "gone";
  return isOfPackage(path) ? `${state.size} ${state.mtimeMs}` : hashOf(readFileSync(file));
}

/** Folders of all sources of templates and bundles, besides packages. */
const sourceFolders = ["functions", "lib"];
const sourceFiles = ["package.json", "package-lock.json", "tsconfig.json"];
/** File that npm writes at each installation. It is often unchanged, so that its modification time says nothing. */
const installedFile = join(projectDirectory, "node_modules/.package-lock.json");

/** The files of the project that templates and bundles are made of. */
export function sourcePaths(): string[] {
  const inFolders = sourceFolders.flatMap((folder) =>
    readdirSync(join(projectDirectory, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(projectDirectory, join(parentPath, name))),
  );
  return [...sourceFiles, ...inFolders.sort()];
}

/** Values that change with these files and with installed packages. */
export function stateOfSources(): readonly string[] {
  const states = sourcePaths().map((path) => `${path} ${stateOf(path)}`);
  return [existsSync(installedFile) ? hashOf(readFileSync(installedFile)) : "unknown", ...states];
}

/** Recognizes files of packages. */
export function isOfPackage(path: string): boolean {
  return /(^|\/)node_modules\//.test(path);
}

/** Recognizes a file that was changed or removed since a time. A file that is being saved may have been read half-way. */
export function isChangedSince(path: string, timeMs: number): boolean {
  const state = statSync(resolve(projectDirectory, path), { throwIfNoEntry: false });
  return state === undefined || state.mtimeMs >= timeMs;
}

/** A hash that names this content. */
export function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

/** File with the id of a function, in place of its code while it is not bundled yet. */
export const deferredFile = "function-id";

/** Keeps entries of the cache for another day. */
export async function markUsed(paths: readonly string[]): Promise<void> {
  const now = new Date();
  await Promise.all(paths.map((path) => utimes(path, now, now)));
}

/** Removes entries that have been unused for a day. */
export async function removeUnused(cacheDirectory: string): Promise<void> {
  for (const name of await readdir(cacheDirectory)) {
    const path = join(cacheDirectory, name);
    const state = await stat(path).catch(() => undefined);
    // Another process may have removed it meanwhile.
    if (state === undefined || Date.now() - state.mtimeMs <= unusedKeptMs) continue;
    await rm(path, { recursive: true, force: true });
  }
}
