import { ApiError } from "../core/errors.ts";
import { readReaders } from "../identity/reader-names.ts";
import type { ReaderRule } from "../policies/access.ts";

/** Parses a member entry from a path or a command line. @throws ApiError `invalid_arg` if the text names no one */
export function requireRule(text: string): ReaderRule {
  const read = readReaders([text], "people");
  if ("message" in read) throw new ApiError("invalid_arg", { message: read.message });
  const [rule] = read;
  if (rule === undefined) throw new ApiError("invalid_arg");
  return rule;
}
