import { ApiError } from "../core/errors.ts";
import { findFolderPage } from "../drops/page-objects.ts";
import { gatePage, identifyBrowser } from "../gate/gate.ts";
import { redirectToBaseHost } from "../gate/readable-version.ts";
import { page } from "../html/page.ts";
import { pageOperation } from "../http/page-operation.ts";
import { destinationOf } from "../identity/destination.ts";
import { prewarmQuery } from "../table/table.ts";
import { findFeedbackDrop } from "./feedback-drop.ts";
import { viewFeedback } from "./feedback-view.ts";
import { showFeedbackRoute } from "./page-rows.ts";

prewarmQuery();

/** GET /p/{slug}/feedback: shows readers' comments beside the page, on the base host. */
export const showFeedback = pageOperation(showFeedbackRoute, async (input) => {
  const { request, host, path, query, nowMs } = input;
  const { slug } = path;
  if (host.kind === "owner") return redirectToBaseHost(input);
  const to = destinationOf(request);
  const found = await findFeedbackDrop({ request, slug, to, pinned: query.v, nowMs });
  if (found.kind === "gate") {
    return { ...gatePage({ slug, to }, { status: 200 }), cookies: identifyBrowser(request, slug).cookies };
  }
  if (query.page === 0)
    throw new ApiError("not_found", { message: "This page of the thread list does not exist." });
  const { page: part, thread } = query;
  const shownPath =
    query.path === undefined || found.folder === undefined
      ? undefined
      : await findFolderPage(found.pageKey, query.path);
  const { render, frames } = await viewFeedback(input, found, {
    part,
    thread,
    path: shownPath,
    isPanel: query.panel === "1",
  });
  return page("feedback", render, { frames });
});
