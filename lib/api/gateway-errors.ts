import type { ErrorCode } from "../../functions/http/errors.ts";

/** Error response of API Gateway's own. */
export interface GatewayError {
  readonly code: ErrorCode;
  /** @default - the code's own */
  readonly status?: number;
  /** @default - the catalog's message */
  readonly message?: string;
  readonly retryAfterSeconds?: number;
}

const refused: GatewayError = {
  code: "forbidden",
  message: "This request was refused before it reached the service.",
};
const malformed: GatewayError = {
  code: "invalid_arg",
  message: "The request is not one that this address takes.",
};
const broken: GatewayError = {
  code: "internal_error",
  message: "Something went wrong on our side. The request id is in x-amzn-RequestId.",
};
const busy: GatewayError = { code: "unavailable", retryAfterSeconds: 5 };
const tooMany: GatewayError = { code: "rate_limited", retryAfterSeconds: 1 };

/** Every response that a REST API makes itself; API Gateway developer guide, "Gateway response types for API Gateway". */
export const gatewayErrors: Readonly<Record<string, GatewayError>> = {
  ACCESS_DENIED: refused,
  API_CONFIGURATION_ERROR: broken,
  AUTHORIZER_CONFIGURATION_ERROR: broken,
  AUTHORIZER_FAILURE: broken,
  BAD_REQUEST_BODY: malformed,
  BAD_REQUEST_PARAMETERS: malformed,
  DEFAULT_4XX: malformed,
  // A function that crashed, ran out of time or could not be started: another try may well succeed.
  DEFAULT_5XX: busy,
  EXPIRED_TOKEN: refused,
  INTEGRATION_FAILURE: busy,
  INTEGRATION_TIMEOUT: busy,
  INVALID_API_KEY: refused,
  INVALID_SIGNATURE: refused,
  MISSING_AUTHENTICATION_TOKEN: { code: "not_found", message: "There is nothing at this address." },
  QUOTA_EXCEEDED: tooMany,
  REQUEST_TOO_LARGE: {
    code: "invalid_arg",
    // No code of the specification says it; 413 tells intermediaries and clients what they know.
    status: 413,
    message: "The request is larger than the 10 MB that this address takes.",
  },
  RESOURCE_NOT_FOUND: { code: "not_found", message: "There is nothing at this address." },
  THROTTLED: tooMany,
  UNAUTHORIZED: { code: "unauthorized" },
  UNSUPPORTED_MEDIA_TYPE: malformed,
  WAF_FILTERED: refused,
};
