import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "./project-directory.ts";

const { version } = JSON.parse(readFileSync(join(projectDirectory, "package.json"), "utf8")) as {
  readonly version: string;
};

/** Version of the service in package.json, such as `0.1.0`. The git tag `v0.1.0` marks the commit. */
export const serviceVersion = version;

/**
 * Version number of the data format. Increment the number with each change that writes data that the previous version could not read, or
 * would damage; see docs/adr/0034-data-format-version.md.
 */
export const dataFormat = 3;
