import { publicDrops } from "../drops/public-drops.ts";
import { noContent } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { noSuchThread } from "./feedback.ts";
import { deleteFeedbackRoute } from "./rows.ts";
import { feedback } from "./store.ts";

/** DELETE /api/drops/{slug}/feedback/{thread}: deletes a thread with all its comments. The thread's number is never reused. */
export const deleteFeedback = tokenOperation(deleteFeedbackRoute, async ({ caller, path, act }) => {
  const { slug } = path;
  await publicDrops.requireDrop(caller.userId, slug, act.atMs);
  const isRemoved = await feedback.remove({ ownerId: caller.userId, slug }, path.thread, act);
  if (!isRemoved) throw noSuchThread(slug, path.thread);
  return noContent();
});
