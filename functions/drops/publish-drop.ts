import { ApiError } from "../core/errors.ts";
import { requestDigest, respondOnce } from "../http/idempotency.ts";
import { created, withEntityTag } from "../http/response.ts";
import { refundInvalid, tokenOperation } from "../http/token-operation.ts";
import { withWarnings } from "../http/warnings.ts";
import { withSecretReview } from "../secrets/secret-review.ts";
import { withoutDerivedFields } from "./page-content.ts";
import { presentPublication, writtenVersion } from "./presenter.ts";
import { createStoredDrop } from "./publish.ts";
import { publishDropRoute } from "./rows.ts";
import { drops } from "./store.ts";

/** POST /api/drops: publish a page and return its permanent URL. */
export const publishDrop = tokenOperation(
  publishDropRoute,
  withSecretReview(async (input) => {
    const { caller, body, site } = input;
    const { passcode, ...content } = body;
    const request = {
      ...input,
      operation: publishDropRoute.id,
      digest: () => requestDigest(withoutDerivedFields(content)),
      passcode,
    };
    return respondOnce(request, async (keep) => {
      const { drop, version, passcodeHash, warnings } = await createStoredDrop(input, body);
      const answer = created(presentPublication(site, drop, version), writtenVersion(drop));
      const response = withWarnings(withEntityTag(answer, drop), warnings);
      const isInserted = await drops.insert(drop, version, input.act, keep(response, passcodeHash));
      if (!isInserted) throw new ApiError("unavailable", { retryAfterSeconds: 1 });
      return response;
    }).catch((error) =>
      // Refunds the write if an operator's setting refuses it.
      refundInvalid(error, caller),
    );
  }),
);
