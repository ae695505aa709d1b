import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "./project-directory.ts";

const { version } = JSON.parse(readFileSync(join(projectDirectory, "package.json"), "utf8")) as {
  readonly version: string;
};

/** The version of the service, such as `0.1.0`: package.json has it, and a tag `v0.1.0` names the commit. */
export const serviceVersion = version;

/**
 * Number of the data format. It rises with a change whose data the previous version could not read, or would damage:
 * docs/adr/0034-data-format-version.md.
 */
export const dataFormat = 3;
