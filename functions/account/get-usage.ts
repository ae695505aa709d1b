import { limits } from "../core/limits.ts";
import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { requireAccount } from "../people/accounts.ts";
import { getUsageRoute } from "./rows.ts";
import type { UsageResponse } from "./schemas.ts";

/** GET /api/me/usage: responds with the account's usage and limits. */
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
    // An account's only namespace is created at the person's first sign-in.
    subdomains: { used: 1, limit: limits.subdomainsPerAccountMax },
  } satisfies UsageResponse);
});
