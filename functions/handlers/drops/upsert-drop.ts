import { ApiError } from "../../contract/api-error.ts";
import { upsertDropRoute } from "../../contract/upsert-route.ts";
import type { Drop } from "../../domain/drop.ts";
import { requestDigest } from "../../domain/request-digest.ts";
import { hasTags } from "../../domain/tags.ts";
import { created, type HttpAnswer, ok } from "../../http/answer.ts";
import { answerOnce, type Keep } from "../../http/answer-once.ts";
import { withEntityTag } from "../../http/if-match.ts";
import { refundInvalid } from "../../http/invalid-refund.ts";
import { type NewDrop, storeNewDrop } from "../../http/new-drop.ts";
import { presentDrop, writtenVersion } from "../../http/present-drop.ts";
import { addTaggedVersion, requireTaggable } from "../../http/tagged-drop.ts";
import { type TokenOperationInput, tokenOperation } from "../../http/token-operation.ts";
import { drops, waitForOthers } from "../../store/drops.ts";

/** Races with other writers of the account's drops that one upsert stands before it gives up. */
const attemptsMax = 60;

const slugsShownMax = 20;

/** PUT /api/drops?metadata.<key>=<value>: a new version of the one drop with these tags, or that drop. */
export const upsertDrop = tokenOperation(upsertDropRoute, async (input) => {
  const { caller, query, body } = input;
  const { passcode, ...content } = body;
  const request = {
    ...input,
    operation: upsertDropRoute.id,
    // An empty passcode opens the drop, and none leaves it as it is; which of them came is no secret.
    digest: () => requestDigest({ ...query, content, opens: passcode === "" || undefined }),
    passcode,
  };
  return answerOnce(request, (keep) => upsert(input, keep)).catch((error) =>
    // Query and body may be good each, and contradict each other.
    refundInvalid(error, caller),
  );
});

async function upsert(input: TokenOperationInput<typeof upsertDropRoute>, keep: Keep): Promise<HttpAnswer> {
  const { caller, query, body, ifMatch, site, act } = input;
  const { userId } = caller;
  const metadata = requireTaggable(query.tags, body.metadata);
  let stored: Promise<NewDrop> | undefined;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    await waitForOthers(attempt);
    // Before the list: what comes to match later raises it.
    const set = await drops.setRevision(userId);
    const matching = (await drops.list(userId)).filter((drop) => hasTags(drop, query.tags));
    const [found, ...others] = matching;
    if (others.length > 0) throw severalMatch(matching);
    if (found !== undefined) {
      const keepOk = (drop: Drop, hash?: string) => keep(presentOk(drop), hash);
      const presentOk = (drop: Drop) =>
        withEntityTag(ok(presentDrop(site, drop), writtenVersion(drop)), drop);
      const changed = await addTaggedVersion(input, found, metadata, keepOk);
      if (changed !== undefined) return presentOk(changed);
      continue;
    }
    if (ifMatch !== undefined)
      throw new ApiError("precondition_failed", {
        message: "No drop has this metadata, which If-Match asks for.",
      });
    stored ??= storeNewDrop(input, { ...body, metadata });
    const { drop, version, passcodeHash } = await stored;
    const answer = withEntityTag(created(presentDrop(site, drop), writtenVersion(drop)), drop);
    const options = { kept: keep(answer, passcodeHash), seen: { set } };
    const outcome = await drops.tryInsert(drop, version, act, options);
    if (outcome === "inserted") return answer;
    if (outcome === "slug-taken") stored = undefined;
  }
  throw new ApiError("unavailable", {
    message: "Many writers are changing this account's drops at once. Try again.",
    retryAfterSeconds: 1,
  });
}

function severalMatch(matching: readonly Drop[]): ApiError {
  const slugs = matching.map(({ slug }) => slug).slice(0, slugsShownMax);
  return new ApiError("several_match", {
    message: `${matching.length} drops have this metadata. PUT to one of them by its slug, or filter by more.`,
    details: { total: matching.length, slugs },
  });
}
