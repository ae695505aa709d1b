import { ApiError, type ErrorCode } from "../core/errors.ts";
import { errorHeaders, type HttpResponse, jsonHeaders } from "../http/response.ts";

/** OAuth error codes (RFC 6749, sections 4.1.2.1 and 5.2; RFC 7591, section 3.2.2; RFC 8707, section 2). */
type OAuthCode =
  | "access_denied"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_grant"
  | "invalid_redirect_uri"
  | "invalid_request"
  | "invalid_scope"
  | "invalid_target"
  | "server_error"
  | "temporarily_unavailable"
  | "unsupported_grant_type"
  | "unsupported_response_type";

/** Error to send to an OAuth client, with an OAuth error code. */
export class OAuthError extends ApiError {
  readonly oauthCode: OAuthCode;

  constructor(oauthCode: OAuthCode, message: string, cause?: unknown) {
    super("invalid_arg", { message, cause });
    this.name = "OAuthError";
    this.oauthCode = oauthCode;
  }
}

/** Error for an invalid code, token or assertion. */
export function invalidGrant(message: string, cause?: unknown): OAuthError {
  return new OAuthError("invalid_grant", message, cause);
}

/** Error for a malformed or unacceptable request. */
export function invalidRequest(message: string): OAuthError {
  return new OAuthError("invalid_request", message);
}

/** OAuth error codes by API error code. All other API errors become `invalid_request`. */
const oauthCodes: Partial<Record<ErrorCode, OAuthCode>> = {
  forbidden: "access_denied",
  idp_unavailable: "temporarily_unavailable",
  internal_error: "server_error",
  quota_exceeded: "access_denied",
  rate_limited: "temporarily_unavailable",
  unavailable: "temporarily_unavailable",
};

/** Returns the OAuth error code for an error. */
export function oauthCodeOf(error: ApiError): OAuthCode {
  return error instanceof OAuthError ? error.oauthCode : (oauthCodes[error.code] ?? "invalid_request");
}

/** Converts an error to the format of RFC 6749, section 5.2, which differs from the API's format; see docs/adr/0053-oauth.md. */
export function presentOAuthError(error: ApiError): HttpResponse {
  return {
    status: error.status,
    headers: { ...jsonHeaders, ...errorHeaders(error) },
    body: JSON.stringify({ error: oauthCodeOf(error), error_description: describeOAuthError(error) }),
  };
}

/** Returns an error's message with only the characters that `error_description` may contain (RFC 6749, section 5.2). */
export function describeOAuthError({ message }: ApiError): string {
  return message.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "?");
}
