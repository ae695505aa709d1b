import { gatePage } from "../pages/gate.ts";
import { introductionCookies } from "../pages/gate-browser.ts";
import { toBaseHost } from "../pages/served-version.ts";
import { ApiError } from "../platform/errors.ts";
import { page, pageOperation } from "../platform/page-operation.ts";
import { expectQueryBesides } from "../platform/table.ts";
import { destinationOf } from "../readers/destination.ts";
import { findFeedbackDrop } from "./feedback-drop.ts";
import { viewFeedback } from "./feedback-view.ts";
import { showFeedbackRoute } from "./rows.ts";

expectQueryBesides();

/** GET /p/{slug}/feedback: what readers have said, beside the page, on the base host. */
export const showFeedback = pageOperation(showFeedbackRoute, async (input) => {
  const { request, host, path, query, nowMs } = input;
  const { slug } = path;
  if (host.kind === "owner") return toBaseHost(input);
  const to = destinationOf(request);
  const found = await findFeedbackDrop({ request, slug, to, pinned: query.version, nowMs });
  if (found.kind === "gate") {
    return { ...gatePage({ slug, to }, { status: 200 }), cookies: introductionCookies(request, slug) };
  }
  if (query.page === 0) throw new ApiError("not_found", { message: "There are no such threads here." });
  const { page: part, thread } = query;
  return page("feedback", await viewFeedback(input, found, { part, thread }));
});
