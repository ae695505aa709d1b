import { publicDrops } from "../drops/public-drops.ts";
import { noContent } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { deleteAnswersRoute } from "./rows.ts";
import { answers } from "./store.ts";

/** DELETE /api/drops/{slug}/answers: deletes the answers to one form, or to all forms of the drop. */
export const deleteAnswers = tokenOperation(deleteAnswersRoute, async ({ caller, path, query, act }) => {
  const { slug } = path;
  await publicDrops.requireDrop(caller.userId, slug, act.atMs);
  await answers.removeAll({ ownerId: caller.userId, slug }, query.form || undefined, act);
  return noContent();
});
