import { ApiError } from "../http/errors.ts";
import { requestDigest, respondOnce, type StoreResponse } from "../http/idempotency.ts";
import { withWarnings } from "../http/input-hints.ts";
import { type Metadata, metadataSchema } from "../http/metadata.ts";
import { hashPasscode, matchesPasscode } from "../http/passcode.ts";
import { created, type HttpResponse, ok, requireMatch, withEntityTag } from "../http/response.ts";
import { refundInvalid, type TokenOperationInput, tokenOperation } from "../http/token-operation.ts";
import { validate } from "../http/validation.ts";
import { requireAllowed } from "../identity/visibility.ts";
import { withSecretReview } from "../secrets/secret-review.ts";
import { createObjectId } from "../table/identifiers.ts";
import { RetryableError, retryConflicts } from "../table/table.ts";
import { createStoredDrop, hasPasscode, type NewDrop } from "./create-drop.ts";
import {
  type AppliedChange,
  addVersion,
  changeWarnings,
  type Drop,
  hasTags,
  isLocked,
  mergeTags,
  withGate,
} from "./drop.ts";
import { changedAccess, newAccess } from "./drop-access.ts";
import { countOpenFeedback } from "./owned-drops.ts";
import { toStoredPage, withoutDerivedFields } from "./page-content.ts";
import { knownContents, pages } from "./page-objects.ts";
import { presentPublication, writtenVersion } from "./presenter.ts";
import { upsertDropRoute } from "./rows.ts";
import { drops, requireVersionQuota } from "./store.ts";

const slugsShownMax = 20;

/** PUT /api/drops?metadata.<key>=<value>: a new version of the one drop with these tags, or that drop. */
export const upsertDrop = tokenOperation(
  upsertDropRoute,
  withSecretReview(async (input) => {
    const { caller, query, body } = input;
    const { passcode, ...content } = body;
    const request = {
      ...input,
      operation: upsertDropRoute.id,
      // An empty passcode opens the drop, and none leaves it as it is; which of them came is no secret.
      digest: () =>
        requestDigest({
          tags: query.metadata,
          content: withoutDerivedFields(content),
          opens: passcode === "" || undefined,
        }),
      passcode,
    };
    return respondOnce(request, (keep) => upsert(input, keep)).catch((error) =>
      // Query and body may be good each, and contradict each other, or the drop.
      refundInvalid(error, caller),
    );
  }),
);

async function upsert(
  input: TokenOperationInput<typeof upsertDropRoute>,
  keep: StoreResponse,
): Promise<HttpResponse> {
  const { caller, query, body, ifMatch, site, nowMs, act } = input;
  const { userId } = caller;
  const metadata = requireTaggable(query.metadata, body.metadata);
  let stored: Promise<NewDrop> | undefined;
  return retryConflicts(async () => {
    // Before the list: what comes to match later raises it.
    const set = await drops.setRevision(userId);
    const matching = await drops.listTagged(userId, query.metadata, nowMs);
    const [found, ...others] = matching;
    if (others.length > 0) throw severalMatch(matching);
    if (found !== undefined) {
      const changed = await addTaggedVersion(input, found, metadata, keep);
      if (changed !== undefined) return changed;
      throw manyWriters();
    }
    // RFC 9110, section 13.2.1: a precondition counts where the request would succeed without it.
    newAccess(body, { isLocked: hasPasscode(body), nowMs });
    if (ifMatch !== undefined)
      throw new ApiError("precondition_failed", {
        message: "No drop has this metadata, but If-Match requires one.",
      });
    stored ??= createStoredDrop(input, { ...body, metadata });
    const { drop, version, passcodeHash } = await stored;
    const response = withEntityTag(
      created(presentPublication(site, drop, version), writtenVersion(drop)),
      drop,
    );
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

/**
 * The metadata that a drop gets which is to carry the tags.
 *
 * @throws ApiError `invalid_arg` where the two contradict each other, or are too much together
 */
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

/**
 * Adds a version to the drop that was found by its tags, with the title, description, metadata and passcode that were sent.
 * Undefined if the drop has lost a tag or was deleted meanwhile: the caller searches again.
 *
 * @throws ApiError `version_limit_reached`, `precondition_failed`, and `invalid_arg` for visibility and readers
 */
async function addTaggedVersion(
  input: TokenOperationInput<typeof upsertDropRoute>,
  found: Drop,
  metadata: Metadata,
  keep: StoreResponse,
): Promise<HttpResponse | undefined> {
  const { query, body, ifMatch, site, nowMs, randomInt, act } = input;
  const requireWritable = (drop: Drop) => {
    const staysLocked = body.passcode === undefined ? isLocked(drop) : hasPasscode(body);
    requireAllowed(changedAccess(drop, body, { isLocked: staysLocked, nowMs }).visibility);
    requireVersionQuota(drop);
    requireMatch(ifMatch, drop);
  };
  requireWritable(found);
  const page = toStoredPage(
    found.slug,
    createObjectId(randomInt),
    body,
    await (body.folder && knownContents(found)),
  );
  const lock = await lockOf(body.passcode, found);
  // Page first: a row never points at a missing object.
  const [openFeedback] = await Promise.all([countOpenFeedback(found.slug), pages.put(page)]);
  const changes = { ...body, metadata: body.metadata && metadata };
  const present = (applied: AppliedChange) => {
    const { drop } = applied;
    const response = ok(presentPublication(site, drop, page, openFeedback), writtenVersion(drop));
    return withWarnings(withEntityTag(response, drop), changeWarnings(applied, body));
  };
  const changed = await drops.change(
    found,
    act,
    (current) => {
      if (!hasTags(current, query.metadata)) return undefined;
      requireWritable(current);
      // First the lock: what it opens, search engines may list from now on.
      return addVersion(withLock(current, lock, nowMs), page, changes, nowMs);
    },
    (change) => keep(present(change), lock ?? undefined),
  );
  return changed && present(changed);
}

/** The hash to lock with, null to open, undefined to leave the gate alone. */
async function lockOf(passcode: string | undefined, { gate }: Drop): Promise<string | null | undefined> {
  if (passcode === undefined) return undefined;
  if (passcode === "") return null;
  // The same passcode again must not end what readers have opened.
  const isSame = gate.kind === "locked" && (await matchesPasscode(passcode, gate.passcodeHash));
  return isSame ? gate.passcodeHash : hashPasscode(passcode);
}

function withLock(drop: Drop, lock: string | null | undefined, nowMs: number): Drop {
  const current = drop.gate.kind === "locked" ? drop.gate.passcodeHash : null;
  return lock === undefined || lock === current ? drop : withGate(drop, lock, nowMs);
}
