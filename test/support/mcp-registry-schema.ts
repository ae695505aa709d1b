import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { projectDirectory } from "../../lib/project-directory.ts";

const schema = JSON.parse(
  readFileSync(join(projectDirectory, "test/release/mcp-server-2025-12-11.schema.json"), "utf8"),
);

/** The id of the registry's schema of `server.json`. */
export const serverSchemaId: string = schema.$id;

/** Validates a `server.json` against the registry's schema and returns the errors. */
export function errorsInServer(value: unknown): unknown {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  validate(value);
  return validate.errors ?? [];
}
