import { ApiError } from "../contract/api-error.ts";
import { limits } from "../contract/limits.ts";
import type { Drop } from "../domain/drop.ts";

/** @throws ApiError `version_limit_reached` where the drop has 200 versions */
export function requireVersionRoom(drop: Drop): void {
  if (drop.versionCount < limits.versionsPerDropMax) return;
  throw new ApiError("version_limit_reached", {
    details: { versions_max: limits.versionsPerDropMax },
    retryAfterSeconds: limits.quotaRetryAfterSeconds,
  });
}
