import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** The root of the project, or of the published package, absolute: what paths of its files are relative to. */
export const projectDirectory = resolve(import.meta.dirname, "..");

/** Tells a checkout from the published package, which has bundles in place of the sources. */
export const isCheckout = existsSync(resolve(projectDirectory, "settings.ts"));
