import { gatePage } from "../pages/gate.ts";
import { gatedPath } from "../pages/gate-address.ts";
import { introductionCookies } from "../pages/gate-browser.ts";
import { isMissingToKnownReader, knownReaderPath } from "../pages/known-reader.ts";
import { ApiError } from "../platform/errors.ts";
import { page, pageOperation } from "../platform/page-operation.ts";
import { pageQueryOf } from "../platform/page-query.ts";
import { redirect } from "../platform/response.ts";
import { seenPath } from "../platform/site.ts";
import { expectQueryBesides } from "../platform/table.ts";
import { entranceOf, findFeedbackDrop } from "./feedback-drop.ts";
import { viewFeedback } from "./feedback-view.ts";
import { showFeedbackRoute } from "./rows.ts";

expectQueryBesides();

/** GET /p/{slug}/feedback: what readers have said, beside the page, in a window of whoever may read the page. */
export const showFeedback = pageOperation(showFeedbackRoute, async (input) => {
  const { request, host, path, query, site, nowMs } = input;
  const { slug } = path;
  const found = await findFeedbackDrop({ request, host, slug, pinned: query.version, nowMs }).catch(
    (error: unknown) => {
      if (isMissingToKnownReader(error, request, slug)) return { kind: "sign-in" } as const;
      throw error;
    },
  );
  // Which threads were asked for is brought back, too.
  const asked = { ...entranceOf(slug, query.version), pageQuery: pageQueryOf(request.rawQuery) };
  switch (found.kind) {
    case "base-host":
      return redirect(site.baseUrl + gatedPath({ ...asked, host: { kind: "base" } }));
    case "sign-in":
      return redirect(seenPath(host, knownReaderPath(slug, asked)));
    case "gate": {
      const gate = gatePage({ ...asked, host }, { status: 200 });
      return { ...gate, cookies: introductionCookies(request, slug) };
    }
    case "version": {
      if (query.page === 0) throw new ApiError("not_found", { message: "There are no such threads here." });
      const { page: part, thread } = query;
      return page("feedback", await viewFeedback({ request, host, site }, found, { part, thread }));
    }
  }
});
