import type { ErrorCode } from "../../functions/core/errors.ts";

/** An error response that API Gateway itself sends. */
export interface GatewayError {
  readonly code: ErrorCode;
  /** HTTP status. @default - the status of the error code */
  readonly status?: number;
  /** Message for the client. @default - the message in the error catalog */
  readonly message?: string;
  readonly retryAfterSeconds?: number;
}

const refused: GatewayError = {
  code: "forbidden",
  message: "API Gateway refused this request. Call the service at its base URL, and do not sign requests.",
};
const malformed: GatewayError = {
  code: "invalid_arg",
  message: "This address does not accept the request. Check method, headers and body.",
};
const broken: GatewayError = {
  code: "internal_error",
  message: "The service failed. Try once more. If it fails again, report the request id in x-amzn-RequestId.",
};
const busy: GatewayError = { code: "unavailable", retryAfterSeconds: 5 };
const tooMany: GatewayError = { code: "rate_limited", retryAfterSeconds: 1 };

/** API path of the error response that the edge sends if an origin times out. The origin may still have completed the request. */
export const originTimeoutPath = "/api/origin-timeout";

export const originTimeout: GatewayError = {
  code: "unavailable",
  message:
    "The service did not respond in time. The request may have been carried out. Check before you repeat it, or repeat it with the same Idempotency-Key.",
  retryAfterSeconds: 5,
};

/** All error responses that a REST API itself sends; see "Gateway response types for API Gateway", API Gateway developer guide. */
export const gatewayErrors: Readonly<Record<string, GatewayError>> = {
  ACCESS_DENIED: refused,
  API_CONFIGURATION_ERROR: broken,
  AUTHORIZER_CONFIGURATION_ERROR: broken,
  AUTHORIZER_FAILURE: broken,
  BAD_REQUEST_BODY: malformed,
  BAD_REQUEST_PARAMETERS: malformed,
  DEFAULT_4XX: malformed,
  // A function crashed, timed out or did not start, so a retry may succeed.
  DEFAULT_5XX: busy,
  EXPIRED_TOKEN: refused,
  INTEGRATION_FAILURE: busy,
  INTEGRATION_TIMEOUT: busy,
  INVALID_API_KEY: refused,
  INVALID_SIGNATURE: refused,
  MISSING_AUTHENTICATION_TOKEN: { code: "not_found", message: "Nothing exists at this address." },
  QUOTA_EXCEEDED: {
    code: "rate_limited",
    message:
      "The service has reached its request limit for today. It accepts requests again after midnight UTC.",
    // Clients retry every hour, because the operator may raise the quota before it resets at midnight UTC.
    retryAfterSeconds: 3_600,
  },
  REQUEST_TOO_LARGE: {
    code: "invalid_arg",
    // The specification has no error code with status 413, but intermediaries and clients understand this status.
    status: 413,
    message: "The request is too large: this address accepts at most 10 MB.",
  },
  RESOURCE_NOT_FOUND: { code: "not_found", message: "Nothing exists at this address." },
  THROTTLED: tooMany,
  UNAUTHORIZED: { code: "unauthorized" },
  UNSUPPORTED_MEDIA_TYPE: malformed,
  WAF_FILTERED: refused,
};
