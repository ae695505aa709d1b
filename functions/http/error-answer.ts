import { ApiError } from "../contract/api-error.ts";
import { type HttpAnswer, jsonHeaders } from "./answer.ts";

/** Names that the SDK gives to faults which a later try may not meet; AWS SDK for JavaScript, "Retry behavior". */
const transientNames = new Set([
  "InternalServerError",
  "ItemCollectionSizeLimitExceededException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "RequestTimeout",
  "ServiceUnavailable",
  "SlowDown",
  "ThrottlingException",
  "TimeoutError",
  "TransactionCanceledException",
  "TransactionConflictException",
  "TransactionInProgressException",
]);

/** What the caller hears of anything that was thrown. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isTransient(error)) return new ApiError("unavailable", { retryAfterSeconds: 1, cause: error });
  return new ApiError("internal_error", { cause: error });
}

/** An error in the contract's shape, with Retry-After equal to its detail. */
export function errorJson(error: ApiError): HttpAnswer {
  return {
    status: error.status,
    headers: { ...jsonHeaders, ...errorHeaders(error) },
    body: JSON.stringify(error.toBody()),
  };
}

/** The headers that an error's code asks for, whatever its form. */
export function errorHeaders(error: ApiError): Record<string, string> {
  return {
    ...(error.retryAfterSeconds === undefined ? {} : { "retry-after": String(error.retryAfterSeconds) }),
    ...(error.status === 401 ? { "www-authenticate": "Bearer" } : {}),
  };
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const fault = "$fault" in error ? error.$fault : undefined;
  const code = "code" in error ? String(error.code) : "";
  return (
    transientNames.has(error.name) || fault === "server" || /^(ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN)/.test(code)
  );
}
