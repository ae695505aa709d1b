import { resolve } from "node:path";

/** The root of the project, absolute: what paths of its files are relative to. */
export const projectDirectory = resolve(import.meta.dirname, "..");
