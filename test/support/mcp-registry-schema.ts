import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { projectDirectory } from "../../lib/project-directory.ts";

const schema = JSON.parse(
  readFileSync(join(projectDirectory, "test/release/mcp-server-2025-12-11.schema.json"), "utf8"),
);

/** The address of the registry's schema of `server.json`. */
export const serverSchemaId: string = schema.$id;

/** The errors of a `server.json` by the registry's schema. */
export function errorsInServer(value: unknown): unknown {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  validate(value);
  return validate.errors ?? [];
}
