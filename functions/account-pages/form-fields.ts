import { ApiError } from "../platform/errors.ts";
import { signedInText } from "../platform/html/signed-in-text.ts";
import { patterns } from "../platform/schemas.ts";

/** What a form of an owner's pages sends: its fields by their names, and where it has one, a file. */
export interface FormFields {
  get(name: string): string | null;
}

/**
 * Which version a form is about.
 *
 * @throws ApiError `invalid_arg`
 */
export function readVersionNumber(fields: FormFields): number {
  const sent = fields.get("version") ?? "";
  if (patterns.positiveInteger.test(sent)) return Number(sent);
  const message = signedInText.problems.noVersion;
  throw new ApiError("invalid_arg", { message, details: { field: "version" } });
}

/** The people that somebody has typed, one a line; empty lines are nobody. */
export function readerLines(fields: FormFields): string[] {
  const lines = (fields.get("readers") ?? "").split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== "");
}
