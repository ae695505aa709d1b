import { type $ZodIssue, type $ZodType, type output, safeParse } from "zod/v4/core";
import { ApiError } from "../contract/api-error.ts";
import type { ErrorCode } from "../contract/errors.ts";
import { describe } from "../contract/metadata-schema.ts";
import type { ProblemParams } from "../contract/text.ts";

/** Fields with a code of their own for being absent; section "Errors" of the specification. */
const requiredCodes: Readonly<Record<string, ErrorCode>> = {
  html: "html_required",
  title: "title_required",
  passcode: "passcode_required",
};

/**
 * The value as the schema makes it.
 *
 * @throws ApiError for the first rule that the value breaks, naming the field, what came and what is allowed.
 */
export function validate<Schema extends $ZodType>(schema: Schema, value: unknown): output<Schema> {
  const result = safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw issue ? toApiError(issue) : new ApiError("invalid_arg");
}

/**
 * The JSON value of a request body; undefined where the body is empty.
 *
 * @throws ApiError `invalid_json` when it is not JSON in UTF-8.
 */
export function parseJson(body: Uint8Array): unknown {
  if (body.byteLength === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : "it is not valid UTF-8";
    throw new ApiError("invalid_json", {
      message: `The request body must be JSON in UTF-8: ${reason}.`,
      cause,
    });
  }
}

function toApiError(issue: $ZodIssue): ApiError {
  if (issue.code === "custom" && issue.params) {
    const { apiCode, details } = issue.params as unknown as ProblemParams;
    return new ApiError(apiCode, { message: issue.message, details });
  }
  const [field] = issue.path;
  if (field === undefined) {
    return new ApiError("invalid_arg", {
      message: `The request body must be a JSON object, but ${describe(issue.input)} came.`,
    });
  }
  const name = String(field);
  const required = requiredCodes[name];
  if (required && (issue.input === undefined || issue.input === null)) {
    return new ApiError(required, { details: { field: name } });
  }
  const expected = issue.code === "invalid_type" ? issue.expected : "valid value";
  const message = `${name} must be a ${expected}, but ${describe(issue.input)} came.`;
  return new ApiError("invalid_arg", { message, details: { field: name } });
}
