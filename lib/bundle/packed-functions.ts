import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../project-directory.ts";

/**
 * Functions as the published package has them. `scripts/pack` replaces the modules that bundle functions from their sources, and those that
 * collect their files, with this file.
 */
const packed = {
  directory: join(projectDirectory, "functions"),
  inputs: new Map<string, readonly string[]>(),
};

/** Replaces `bundle.ts`. */
export const bundleFunctions = async () => packed;

/** Replaces `bundle-cache.ts`. */
export const findOrBundleFunctions = async () => packed;

/** Replaces `fault-map.ts`: the package has no source maps. */
export const findOrMakeMap = async () => undefined;

/** Replaces `function-files.ts`. */
export const filesOf = () => [];

/** Replaces `browser-files.ts`. */
export const browserFiles = () => [];

/** Replaces `../edge/bundle-edge-function.ts`: puts the values into the places that `packedValue` has marked. */
export function bundleEdgeFunction(file: string, values: Readonly<Record<string, string>>): string {
  const code = readFileSync(join(projectDirectory, packedEdgeFile(file)), "utf8");
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(JSON.stringify(packedValue(name)), () => JSON.stringify(value)),
    code,
  );
}

/** Path of an edge function in the package, relative to its root. */
export function packedEdgeFile(file: string): string {
  return file.replace(/\.ts$/, ".js");
}

/** Marks the place of a value in a packed edge function. */
export function packedValue(name: string): string {
  return `{${name}}`;
}
