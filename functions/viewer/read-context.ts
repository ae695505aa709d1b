import { ApiError } from "../core/errors.ts";
import { pages } from "../drops/page-objects.ts";
import { findVersionForReader, recordRead, redirectToBaseHost } from "../gate/readable-version.ts";
import { pageOperation } from "../http/page-operation.ts";
import { text } from "../http/response.ts";
import { readContextRoute } from "./rows.ts";

/** GET /p/{slug}/context: responds with a version's stored context as plain text. */
export const readContext = pageOperation(readContextRoute, async (input) => {
  const { request, host, path, query, nowMs } = input;
  const found = await findVersionForReader({ request, host, slug: path.slug, pinned: query.v, nowMs });
  if (found.kind === "base-host") return redirectToBaseHost(input);
  if (found.kind === "gate")
    throw new ApiError("forbidden", { message: "This page is locked. Open it first." });
  const { pageKey, hasContext } = found;
  const [context] = await Promise.all([
    hasContext ? pages.getContext(pageKey) : undefined,
    recordRead(found, input),
  ]);
  if (context === undefined) throw new ApiError("not_found", { message: "This version has no context." });
  return text(context);
});
