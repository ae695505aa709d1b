import { ApiError } from "../../contract/api-error.ts";
import { publishDropRoute } from "../../contract/drop-routes.ts";
import { requestDigest } from "../../domain/request-digest.ts";
import { created } from "../../http/answer.ts";
import { answerOnce } from "../../http/answer-once.ts";
import { withEntityTag } from "../../http/if-match.ts";
import { storeNewDrop } from "../../http/new-drop.ts";
import { presentDrop, writtenVersion } from "../../http/present-drop.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { drops } from "../../store/drops.ts";

/** POST /api/drops: publish a page and return its permanent URL. */
export const publishDrop = tokenOperation(publishDropRoute, async (input) => {
  const { body, site } = input;
  const { passcode, ...content } = body;
  const request = {
    ...input,
    operation: publishDropRoute.id,
    digest: () => requestDigest(content),
    passcode,
  };
  return answerOnce(request, async (keep) => {
    const { drop, version, passcodeHash } = await storeNewDrop(input, body);
    const answer = withEntityTag(created(presentDrop(site, drop), writtenVersion(drop)), drop);
    const isInserted = await drops.insert(drop, version, input.act, keep(answer, passcodeHash));
    if (!isInserted) throw new ApiError("unavailable", { retryAfterSeconds: 1 });
    return answer;
  });
});
