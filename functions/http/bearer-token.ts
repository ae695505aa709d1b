import { explainAuthorization } from "../refusals/authorization.ts";
import { hashSecret, isTokenPlaintext } from "../table/identifiers.ts";
import type { HttpRequest } from "./request.ts";

/**
 * Returns the hash of the request's bearer token (RFC 6750, section 2.1). The scheme is case-insensitive (RFC 9110).
 *
 * @throws ApiError `unauthorized` without exactly one well-formed token
 */
export function bearerTokenHash(request: HttpRequest): string {
  if (request.tokenHash !== undefined) return request.tokenHash;
  const [value = "", ...others] = request.headers.authorization ?? [];
  const [, plaintext = ""] = /^Bearer +([^\s,]+) *$/i.exec(value) ?? [];
  if (others.length > 0 || !isTokenPlaintext(plaintext)) throw explainAuthorization(request);
  return hashSecret(plaintext);
}
