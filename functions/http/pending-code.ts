import { ApiError } from "../contract/api-error.ts";
import { patterns } from "../contract/patterns.ts";
import { type DeviceCode, pollStatus } from "../domain/device-code.ts";
import { deviceCodeSearch } from "../store/device-code-search.ts";

/**
 * A device code that waits for its human.
 *
 * @throws ApiError `invalid_arg` for any other: section "Authentication endpoints" of the specification.
 */
export async function requirePending(code: string, nowMs: number): Promise<DeviceCode> {
  const found = patterns.deviceCode.test(code) ? await deviceCodeSearch.find(code) : undefined;
  if (found !== undefined && pollStatus(found, nowMs) === "pending") return found;
  throw notPendingError();
}

/** The refusal of a code that does not wait for its human, or not any more. */
export function notPendingError(): ApiError {
  return new ApiError("invalid_arg", {
    message: "This sign-in is unknown, finished or older than 10 minutes. Ask the agent for a new code.",
  });
}
