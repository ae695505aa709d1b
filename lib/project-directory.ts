import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** The root of the project or of the published package, as an absolute path. Paths of files are relative to it. */
export const projectDirectory = resolve(import.meta.dirname, "..");

/** True in a checkout, false in the published package, which has bundles instead of the sources. */
export const isCheckout = existsSync(resolve(projectDirectory, "settings.ts"));
