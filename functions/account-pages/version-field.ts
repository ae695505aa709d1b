import { ApiError } from "../platform/errors.ts";
import { signedInText } from "../platform/html/signed-in-text.ts";
import { patterns } from "../platform/schemas.ts";
import type { FormFields } from "./owner-form.ts";

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
