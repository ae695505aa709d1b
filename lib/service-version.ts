import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "./project-directory.ts";

const { version } = JSON.parse(readFileSync(join(projectDirectory, "package.json"), "utf8")) as {
  readonly version: string;
};

/** The version of the service, such as `0.1.0`: package.json has it, and a tag `v0.1.0` names the commit. */
export const serviceVersion = version;

/**
 * The number of the form in which the service keeps its data. A change raises it after which the version before could not
 * read what the new one has written, or would do harm to it: docs/adr/0034-data-format-version.md.
 */
export const dataFormat = 3;
