import { ApiError, type ErrorCode } from "../core/errors.ts";
import { errorHeaders, type HttpResponse, jsonHeaders } from "../http/response.ts";

/** The codes of RFC 6749, sections 4.1.2.1 and 5.2, RFC 7591, section 3.2.2, and RFC 8707, section 2. */
export type OAuthCode =
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

/** A refusal with an OAuth code, for clients that handle those. */
export class OAuthError extends ApiError {
  readonly oauthCode: OAuthCode;

  constructor(oauthCode: OAuthCode, message: string, cause?: unknown) {
    super("invalid_arg", { message, cause });
    this.name = "OAuthError";
    this.oauthCode = oauthCode;
  }
}

/** OAuth errors of API errors; every other is `invalid_request`. */
const oauthCodes: Partial<Record<ErrorCode, OAuthCode>> = {
  forbidden: "access_denied",
  idp_unavailable: "temporarily_unavailable",
  internal_error: "server_error",
  quota_exceeded: "access_denied",
  rate_limited: "temporarily_unavailable",
  unavailable: "temporarily_unavailable",
};

/** The OAuth code of a refusal. */
export function oauthCodeOf(error: ApiError): OAuthCode {
  return error instanceof OAuthError ? error.oauthCode : (oauthCodes[error.code] ?? "invalid_request");
}

/**
 * A refusal in the form of RFC 6749, section 5.2. It differs from the API's errors, where `error` is an object:
 * docs/adr/0053-oauth.md.
 */
export function presentOAuthError(error: ApiError): HttpResponse {
  return {
    status: error.status,
    headers: { ...jsonHeaders, ...errorHeaders(error) },
    body: JSON.stringify({ error: oauthCodeOf(error), error_description: describeOAuthError(error) }),
  };
}

/** The message, limited to the characters that a description may have; RFC 6749, section 5.2. */
export function describeOAuthError({ message }: ApiError): string {
  return message.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "?");
}
