import { requestDigest, respondOnce } from "../http/idempotency.ts";
import { refundInvalid, tokenOperation } from "../http/token-operation.ts";
import { withSecretReview } from "../secrets/secret-review.ts";
import { addVersionTo } from "./added-version.ts";
import { withoutDerivedFields } from "./page-content.ts";
import { publishVersionRoute } from "./rows.ts";

/** PUT /api/drops/{slug}: a new version; the URL stays. What PATCH changes may come along. */
export const publishVersion = tokenOperation(
  publishVersionRoute,
  withSecretReview((input) => {
    const request = {
      ...input,
      operation: publishVersionRoute.id,
      digest: () => requestDigest({ slug: input.path.slug, content: withoutDerivedFields(input.body) }),
    };
    return respondOnce(request, (keep) => addVersionTo(input, keep)).catch((error) =>
      // Whether readers can be named, or search engines let in, depends on the drop.
      refundInvalid(error, input.caller),
    );
  }),
);
