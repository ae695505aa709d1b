import { readFile } from "node:fs/promises";
import type * as z from "zod/mini";
import { Problem } from "./problem.ts";
import { checkValue, parseJson } from "./service/response-body.ts";

/** Reads a file. Returns undefined if the file does not exist. */
export function readIfPresent(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

/**
 * Reads a JSON file. Returns undefined if the file does not exist.
 *
 * @param otherwise an alternative to correcting the file, for the error message
 * @throws Problem if the content is not JSON or does not match the schema
 */
export async function readJsonFile<Schema extends z.ZodMiniType>(
  path: string,
  schema: Schema,
  otherwise: string,
): Promise<z.output<Schema> | undefined> {
  const bytes = await readIfPresent(path);
  return bytes === undefined ? undefined : parseJsonFile(bytes, path, schema, otherwise);
}

/** @throws Problem if the content is not JSON or does not match the schema */
export function parseJsonFile<Schema extends z.ZodMiniType>(
  bytes: Uint8Array,
  path: string,
  schema: Schema,
  otherwise: string,
): z.output<Schema> {
  const toError = (fault: string) =>
    new Problem(`${path} cannot be read: ${fault}. Correct it, or ${otherwise}.`);
  return checkValue(schema, parseJson(bytes), toError);
}
