import { ApiError } from "../core/errors.ts";
import { requestDigest, respondOnce } from "../http/idempotency.ts";
import { refundInvalid, tokenOperation } from "../http/token-operation.ts";
import { withSecretReview } from "../secrets/secret-review.ts";
import { withoutDerivedFields } from "./page-content.ts";
import { addVersionTo } from "./publish.ts";
import { publishVersionRoute } from "./rows.ts";
import { drops } from "./store.ts";

/** PUT /api/drops/{slug}: publishes a new version; the URL stays. The body may have the fields of PATCH. */
export const publishVersion = tokenOperation(
  publishVersionRoute,
  withSecretReview((input) => {
    const { caller, path, body, nowMs } = input;
    const request = {
      ...input,
      operation: publishVersionRoute.id,
      digest: () => requestDigest({ slug: path.slug, content: withoutDerivedFields(body) }),
    };
    return respondOnce(request, async (keep) => {
      const found = await drops.require({ ownerId: caller.userId, slug: path.slug }, nowMs, body);
      const response = await addVersionTo({ found }, input, keep);
      if (response === undefined) throw new ApiError("not_found");
      return response;
    }).catch((error) =>
      // Rules for readers and indexing depend on the drop, so an invalid change is refunded here.
      refundInvalid(error, caller),
    );
  }),
);
