import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** Absolute path of the root of the project or of the published package. File paths are relative to this folder. */
export const projectDirectory = resolve(import.meta.dirname, "..");

/** True in a checkout. False in the published package, which contains bundles instead of sources. */
export const isCheckout = existsSync(resolve(projectDirectory, "settings.ts"));
