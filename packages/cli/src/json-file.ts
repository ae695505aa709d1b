import { readFile } from "node:fs/promises";
import type * as z from "zod/mini";
import { Problem } from "./problem.ts";
import { checkValue, parseJson } from "./service/response-body.ts";

/** Bytes of a file; undefined if it does not exist. */
export function readIfPresent(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Text of a file; undefined if it does not exist. */
export async function readTextIfPresent(path: string): Promise<string | undefined> {
  return (await readIfPresent(path))?.toString();
}

/**
 * JSON of a file; undefined if there is no file.
 *
 * @param otherwise an alternative to correcting the file
 * @throws Problem for anything that does not fit the schema
 */
export async function readJsonFile<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  otherwise: string,
): Promise<z.output<Schema> | undefined> {
  const bytes = await readIfPresent(path);
  return bytes === undefined ? undefined : parseJsonFile(bytes, path, schema, otherwise);
}

/** @throws Problem for anything that does not fit the schema */
export function parseJsonFile<Schema extends z.ZodMiniType>(
  bytes: Uint8Array,
  path: string,
  schema: Schema,
  otherwise: string,
): z.output<Schema> {
  return checkValue(
    schema,
    parseJson(bytes),
    (fault) => new Problem(`${path} cannot be read: ${fault}. Mend it, or ${otherwise}.`),
  );
}
