import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../project-directory.ts";

/**
 * The bundled functions in the published package. `scripts/pack` puts this file in place of the modules that bundle functions and collect
 * their files.
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

/** Replaces `../edge/bundle-edge-function.ts`: inserts the values in place of the placeholders from `packedValue`. */
export function bundleEdgeFunction(file: string, values: Readonly<Record<string, string>>): string {
  const code = readFileSync(join(projectDirectory, packedEdgeFile(file)), "utf8");
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(JSON.stringify(packedValue(name)), () => JSON.stringify(value)),
    code,
  );
}

/** Returns the path of an edge function in the package, relative to the package's root. */
export function packedEdgeFile(file: string): string {
  return file.replace(/\.ts$/, ".js");
}

/** Returns the placeholder for a value in a packed edge function. */
export function packedValue(name: string): string {
  return `{${name}}`;
}
