import { publicDrops } from "../drops/public-drops.ts";
import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { noSuchThread } from "./feedback.ts";
import { presentChanged } from "./presenter.ts";
import { resolveFeedbackRoute } from "./rows.ts";
import { feedback } from "./store.ts";

/** PATCH /api/drops/{slug}/feedback/{thread}: resolves or reopens a thread. A reader's next comment also reopens the thread. */
export const resolveFeedback = tokenOperation(resolveFeedbackRoute, async ({ caller, path, body, act }) => {
  const { slug } = path;
  await publicDrops.requireDrop(caller.userId, slug, act.atMs);
  const thread = await feedback.setState({ ownerId: caller.userId, slug }, path.thread, body.state, act);
  if (thread === undefined) throw noSuchThread(slug, path.thread);
  return ok(presentChanged(thread));
});
