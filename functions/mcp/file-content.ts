import { ApiError } from "../contract/api-error.ts";
import { startUploadBody } from "../contract/uploads.ts";
import { validate } from "../http/validation.ts";

/** The content of a file that came as an argument, and its type. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/**
 * Reads `text` or `base64`, and the `content_type` by the rules of an upload in steps: what a header cannot hold, no
 * request could have brought.
 *
 * @throws ApiError `invalid_arg`, `invalid_filename`, `empty_blob` or `blob_too_large`
 */
export function readFileContent(given: Readonly<Record<string, unknown>>): FileContent {
  const { text, base64, filename, content_type } = given;
  if ((text === undefined) === (base64 === undefined)) {
    const came = text === undefined ? "neither" : "both";
    throw new ApiError("invalid_arg", {
      message: `Give the file's content either as text or as base64; ${came} came.`,
      details: { field: "text" },
    });
  }
  const bytes = text === undefined ? fromBase64(base64) : fromText(text);
  const checked = validate(startUploadBody, { filename, content_type, size_bytes: bytes.byteLength });
  return { bytes, contentType: checked.content_type ?? "" };
}

function fromText(value: unknown): Uint8Array {
  if (typeof value === "string" && value.isWellFormed()) return Buffer.from(value);
  throw invalid("text", "a string of well-formed Unicode");
}

/** With or without its padding; anything that is not canonical would be read as something else elsewhere. */
function fromBase64(value: unknown): Uint8Array {
  const bytes = typeof value === "string" ? Buffer.from(value, "base64") : undefined;
  const written = bytes?.toString("base64");
  if (bytes && (value === written || value === written?.replace(/={1,2}$/, ""))) return bytes;
  throw invalid("base64", "base64 without line ends (RFC 4648, section 4)");
}

function invalid(field: string, expected: string): ApiError {
  return new ApiError("invalid_arg", { message: `${field} must be ${expected}.`, details: { field } });
}
