import { ApiError } from "../../contract/api-error.ts";
import { readContextRoute } from "../../contract/page-routes.ts";
import { text } from "../../http/answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { findServed } from "../../http/served-version.ts";
import { pages } from "../../store/pages.ts";

/** GET /p/{slug}/context: the context stored with a version, as text. */
export const readContext = pageOperation(readContextRoute, async (input) => {
  const { request, host, path, query, nowMs } = input;
  const found = await findServed({
    request,
    host,
    slug: path.slug,
    pinned: query.version,
    proof: query.proof,
    nowMs,
  });
  if (found.kind !== "version")
    throw new ApiError("forbidden", { message: "This page is locked. Open it first." });
  const { pageKey, hasContext } = found;
  const context = hasContext ? await pages.getContext(pageKey) : undefined;
  if (context === undefined) throw new ApiError("not_found", { message: "This version has no context." });
  return text(context);
});
