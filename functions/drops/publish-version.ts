import { ApiError } from "../http/errors.ts";
import { requestDigest, respondOnce, type StoreResponse } from "../http/idempotency.ts";
import { withWarnings } from "../http/input-hints.ts";
import { type HttpResponse, ok, requireMatch, withEntityTag } from "../http/response.ts";
import { refundInvalid, type TokenOperationInput, tokenOperation } from "../http/token-operation.ts";
import { requireAllowed } from "../identity/visibility.ts";
import { withSecretReview } from "../secrets/secret-review.ts";
import { createObjectId } from "../table/identifiers.ts";
import { type AppliedChange, addVersion, changeWarnings, type Drop, isLocked } from "./drop.ts";
import { changedAccess } from "./drop-access.ts";
import { countOpenFeedback } from "./owned-drops.ts";
import { toStoredPage, withoutDerivedFields } from "./page-content.ts";
import { knownContents, pages } from "./page-objects.ts";
import { presentPublication, writtenVersion } from "./presenter.ts";
import { publishVersionRoute } from "./rows.ts";
import { drops, requireVersionQuota } from "./store.ts";

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

async function addVersionTo(
  input: TokenOperationInput<typeof publishVersionRoute>,
  keep: StoreResponse,
): Promise<HttpResponse> {
  const { caller, path, body, ifMatch, site, nowMs, randomInt, act } = input;
  // RFC 9110, section 13.2.1: a precondition counts where the request would succeed without it.
  const requireWritable = (drop: Drop) => {
    requireAllowed(changedAccess(drop, body, { isLocked: isLocked(drop), nowMs }).visibility);
    requireVersionQuota(drop);
    requireMatch(ifMatch, drop);
  };
  const [found, openFeedback] = await Promise.all([
    drops.require({ ownerId: caller.userId, slug: path.slug }, nowMs, body),
    countOpenFeedback(path.slug),
  ]);
  requireWritable(found);
  const page = toStoredPage(path.slug, createObjectId(randomInt), body, await knownContents(found, body));
  await pages.put(page); // page first: a row never points at a missing object
  const present = (applied: AppliedChange) => {
    const { drop } = applied;
    const response = ok(presentPublication(site, drop, page, openFeedback), writtenVersion(drop));
    return withWarnings(withEntityTag(response, drop), changeWarnings(applied, body));
  };
  const applied = await drops.change(
    found,
    act,
    (current) => {
      requireWritable(current);
      return addVersion(current, page, body, nowMs);
    },
    (change) => keep(present(change)),
  );
  if (applied === undefined) throw new ApiError("not_found");
  return present(applied);
}
