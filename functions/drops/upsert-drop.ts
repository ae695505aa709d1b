import { ApiError } from "../core/errors.ts";
import type { StoreResponse } from "../http/idempotency.ts";
import type { Metadata } from "../http/query.ts";
import type { HttpResponse } from "../http/response.ts";
import { validate } from "../http/validation.ts";
import { RetryableError, retryConflicts } from "../table/table.ts";
import { type Drop, hasTags, mergeTags } from "./drop.ts";
import { newAccess } from "./drop-access.ts";
import { metadataSchema } from "./metadata.ts";
import { withoutDerivedFields } from "./page-content.ts";
import {
  addVersionTo,
  createStoredDrop,
  hasPasscode,
  type NewDrop,
  type PublicationInput,
  publicationOperation,
} from "./publish.ts";
import { upsertDropRoute } from "./rows.ts";
import { drops } from "./store.ts";

const slugsShownMax = 20;

/** PUT /api/drops?metadata.<key>=<value>: publishes a new version of the drop that has these tags, or a new drop with the tags. */
export const upsertDrop = publicationOperation(upsertDropRoute, {
  content: ({ query, body: { passcode, ...content } }) => ({
    tags: query.metadata,
    content: withoutDerivedFields(content),
    // An empty passcode unlocks the drop, and a missing passcode changes nothing. Which of the two was sent is not secret.
    opens: passcode === "" || undefined,
  }),
  publish: upsert,
});

async function upsert(
  input: PublicationInput<typeof upsertDropRoute>,
  keep: StoreResponse,
): Promise<HttpResponse> {
  const { caller, query, body, ifMatch, nowMs, act } = input;
  const { userId } = caller;
  const metadata = requireTaggable(query.metadata, body.metadata);
  let stored: Promise<NewDrop> | undefined;
  return retryConflicts(async () => {
    // Reads the revision first, and then the list of drops. If another drop gets the same tags afterwards, the revision changes, and the
    // new drop is not inserted.
    const set = await drops.findSetRevision(userId);
    const matching = await drops.listTagged(userId, query.metadata, nowMs);
    const [found, ...others] = matching;
    if (others.length > 0) throw severalMatch(matching);
    if (found !== undefined) {
      const tagged = { ...input, body: { ...body, metadata: body.metadata && metadata } };
      const isStillMeant = (current: Drop) => hasTags(current, query.metadata);
      const changed = await addVersionTo({ found, isStillMeant }, tagged, keep);
      // The result is undefined if the drop has lost a tag or was deleted. The next attempt searches again.
      if (changed === undefined) throw manyWriters();
      return changed;
    }
    // A precondition only applies to a request that would succeed without it (RFC 9110, section 13.2.1).
    newAccess(body, { isLocked: hasPasscode(body), nowMs });
    if (ifMatch !== undefined)
      throw new ApiError("precondition_failed", {
        message: "No drop has this metadata, but If-Match requires one.",
      });
    stored ??= createStoredDrop(input, { ...body, metadata });
    const { drop, version, passcodeHash, response } = await stored;
    const options = { kept: keep(response, passcodeHash), seen: { set } };
    const outcome = await drops.tryInsert(drop, version, act, options);
    if (outcome === "inserted") return response;
    if (outcome === "slug-taken") stored = undefined;
    throw manyWriters();
  });
}

function manyWriters(): RetryableError {
  return new RetryableError("Other requests are changing this account's drops at the same time. Try again.");
}

function severalMatch(matching: readonly Drop[]): ApiError {
  const slugs = matching.map(({ slug }) => slug).slice(0, slugsShownMax);
  return new ApiError("several_match", {
    message: `${matching.length} drops have this metadata. PUT to one of them by its slug, or filter by more metadata.`,
    details: { total: matching.length, slugs },
  });
}

/** Merges the tags in the query with the body's metadata. @throws ApiError `invalid_arg` for a contradiction, and beyond the limits of metadata */
function requireTaggable(tags: Metadata, metadata: Metadata | undefined): Metadata {
  const outcome = mergeTags(tags, metadata);
  if ("merged" in outcome) return validate(metadataSchema, Object.fromEntries(outcome.merged));
  const key = outcome.contradictedKey;
  const [inQuery, inBody] = [tags.get(key), metadata?.get(key)].map((value) => JSON.stringify(value));
  throw new ApiError("invalid_arg", {
    message: `metadata.${key} is ${inQuery} in the query and ${inBody} in the body. Send it in one of them, or the same value in both.`,
    details: { field: "metadata", key },
  });
}
