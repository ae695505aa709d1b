import { ApiError } from "../contract/api-error.ts";
import { limits } from "../contract/limits.ts";
import type { HttpRequest } from "./request.ts";

const name = "idempotency-key";

/**
 * The request's Idempotency-Key: a string of the structured fields (RFC 9651, section 3.3.3), as the draft wants it, or
 * the same without its quotation marks, as most clients send it. Undefined where there is none.
 *
 * Source: IETF draft "The Idempotency-Key HTTP Header Field", section 2.1.
 *
 * @throws ApiError `invalid_arg` for what is no key
 */
export function readIdempotencyKey(request: HttpRequest): string | undefined {
  const values = request.headers[name];
  if (values === undefined || values.length === 0) return undefined;
  const [value = "", ...others] = values.map((sent) => sent.trim());
  if (others.length > 0) throw refusal(`${values.length} headers came`);
  const [, quoted] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(value) ?? [];
  const key = quoted?.replace(/\\(["\\])/g, "$1") ?? value;
  // A quotation mark at the start alone is half of a string.
  if (quoted === undefined && value.startsWith('"')) throw refusal("a string without its end came");
  if (key.length === 0 || key.length > limits.idempotencyKeyCharactersMax)
    throw refusal(`${key.length} characters came`);
  if (!/^[\x21-\x7e]+$/.test(key)) throw refusal("white space or other than ASCII came");
  return key;
}

function refusal(what: string): ApiError {
  const message = `Idempotency-Key must be one key of 1 to ${limits.idempotencyKeyCharactersMax} visible ASCII characters, such as a UUID, in quotation marks or without, but ${what}.`;
  return new ApiError("invalid_arg", { message, details: { header: name } });
}
