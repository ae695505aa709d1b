import { ApiError } from "../contract/api-error.ts";
import { hashSecret, isTokenPlaintext } from "../domain/token.ts";
import { type Caller, tokens } from "../store/tokens.ts";
import type { HttpRequest } from "./request.ts";

/**
 * The hash of the request's bearer token (RFC 6750, section 2.1); the scheme's case does not matter (RFC 9110).
 *
 * @throws ApiError `unauthorized` when there is no one well-formed token.
 */
export function bearerTokenHash(request: HttpRequest): string {
  const values = request.headers.authorization ?? [];
  if (values.length > 1) {
    throw new ApiError("unauthorized", { message: `Send one Authorization header; ${values.length} came.` });
  }
  const [, plaintext = ""] = /^Bearer +([^\s,]+) *$/i.exec(values[0] ?? "") ?? [];
  if (!isTokenPlaintext(plaintext)) throw new ApiError("unauthorized");
  return hashSecret(plaintext);
}

/**
 * Finds the caller, and for a write spends it, in one update.
 *
 * @throws ApiError `unauthorized` for an unknown or revoked token; `forbidden` for a suspended account's; `rate_limited` or `daily_quota_exceeded`.
 */
export async function authenticate(hash: string, spendsWrite: boolean, nowMs: number): Promise<Caller> {
  const caller = spendsWrite
    ? await tokens.authenticateWrite(hash, nowMs)
    : await tokens.authenticate(hash, nowMs);
  if (caller === undefined) throw new ApiError("unauthorized");
  return caller;
}
