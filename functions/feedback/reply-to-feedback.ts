import { publicDrops } from "../drops/public-drops.ts";
import { requestDigest, respondOnce, type StoreResponse } from "../http/idempotency.ts";
import { created, type HttpResponse } from "../http/response.ts";
import { type TokenOperationInput, tokenOperation } from "../http/token-operation.ts";
import { findActingName } from "../people/accounts.ts";
import { noSuchThread } from "./feedback.ts";
import { presentWritten } from "./presenter.ts";
import { replyToFeedbackRoute } from "./rows.ts";
import { feedback } from "./store.ts";
import type { Written } from "./write-comment.ts";

/** POST /api/drops/{slug}/feedback/{thread}/replies: adds the owner's reply, which is visible to the drop's readers. */
export const replyToFeedback = tokenOperation(replyToFeedbackRoute, (input) => {
  const { path, body } = input;
  const request = {
    ...input,
    operation: replyToFeedbackRoute.id,
    digest: () => requestDigest({ slug: path.slug, thread: path.thread, text: body.text }),
  };
  return respondOnce(request, (keep) => reply(input, keep));
});

async function reply(
  { caller, path, body, nowMs, act }: TokenOperationInput<typeof replyToFeedbackRoute>,
  keep: StoreResponse,
): Promise<HttpResponse> {
  const { slug, thread } = path;
  const about = { ownerId: caller.userId, slug };
  const { latest } = await publicDrops.requireDrop(about.ownerId, slug, nowMs);
  const author = { kind: "owner", name: await findActingName(caller) } as const;
  const comment = { author, text: body.text, version: latest.version, atMs: nowMs };
  const present = (written: Written) => created(presentWritten(written), { slug });
  const outcome = await feedback.reply(about, thread, comment, act, {
    keep: (written) => keep(present(written)),
  });
  if (outcome.kind !== "written") throw noSuchThread(slug, thread);
  return present(outcome.written);
}
