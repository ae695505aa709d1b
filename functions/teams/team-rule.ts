import { ApiError } from "../core/errors.ts";
import { readReaders } from "../identity/reader-names.ts";
import type { ReaderRule } from "../policies/access.ts";

/**
 * Parses the people in a path, or on a command line.
 *
 * @throws ApiError `invalid_arg` for a text that names no one
 */
export function requireRule(text: string): ReaderRule {
  const read = readReaders([text], "people");
  if ("message" in read) throw new ApiError("invalid_arg", { message: read.message });
  const [rule] = read;
  if (rule === undefined) throw new ApiError("invalid_arg");
  return rule;
}
