import { limits } from "../platform/limits.ts";
import { ok } from "../platform/response.ts";
import { tokenOperation } from "../platform/token-operation.ts";
import { getUsageRoute } from "./rows.ts";
import type { UsageResponse } from "./schemas.ts";
import { requireAccount } from "./store.ts";

/** GET /api/me/usage: what the account uses of the free plan. */
export const getUsage = tokenOperation(getUsageRoute, async ({ caller }) => {
  const account = await requireAccount(caller);
  return ok({
    plan: "free",
    drops: { used: account.dropCount, limit: limits.dropsPerAccountMax },
    blobs: {
      used: account.blobCount,
      bytes_used: account.blobBytes,
      bytes_limit: limits.blobBytesPerAccountMax,
      max_blob_bytes: limits.blobBytesMax,
    },
    // Every account has its namespace from the first sign-in on.
    subdomains: { used: 1, limit: limits.subdomainsPerAccountMax },
  } satisfies UsageResponse);
});
