import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../project-directory.ts";

/**
 * Functions as the published package has them: `scripts/pack` puts this file in the place of the modules that bundle them from
 * their sources, and of those that collect the files beside them.
 */
const packed = {
  directory: join(projectDirectory, "functions"),
  inputs: new Map<string, readonly string[]>(),
};

/** Stands for `bundle.ts`. */
export const bundleFunctions = async () => packed;

/** Stands for `bundle-cache.ts`. */
export const findOrBundleFunctions = async () => packed;

/** Stands for `fault-map.ts`: source maps are not in the package. */
export const findOrMakeMap = async () => undefined;

/** Stands for `function-files.ts`. */
export const filesOf = () => [];

/** Stands for `browser-files.ts`. */
export const browserFiles = () => [];

/** Stands for `../edge/bundle-edge-function.ts`: puts the values into the places that `packedValue` has marked. */
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
