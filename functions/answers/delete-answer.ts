import { ApiError, inBothWords } from "../core/errors.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { noContent } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { deleteAnswerRoute } from "./rows.ts";
import { answers } from "./store.ts";

/** DELETE /api/drops/{slug}/answers/{number}: deletes an answer. The answer's number is never reused. */
export const deleteAnswer = tokenOperation(deleteAnswerRoute, async ({ caller, path, act }) => {
  const { slug, number } = path;
  await publicDrops.requireDrop(caller.userId, slug, act.atMs);
  if (await answers.remove({ ownerId: caller.userId, slug }, number, act)) return noContent();
  throw new ApiError("not_found", {
    message: inBothWords(
      (call) =>
        `The drop ${slug} has no answer ${number}. ${call(`GET /api/drops/${slug}/answers`, "read_answers")} lists its answers.`,
    ),
    details: { number },
  });
});
