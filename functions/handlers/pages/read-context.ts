import { ApiError } from "../../contract/api-error.ts";
import { readContextRoute } from "../../contract/routes.ts";
import { text } from "../../http/answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { requireServed } from "../../http/served-version.ts";
import { pages } from "../../store/pages.ts";

/** GET /p/{slug}/context: the context stored with a version, as text. */
export const readContext = pageOperation(readContextRoute, async ({ host, path, query }) => {
  const { pageKey, hasContext } = await requireServed(host, path.slug, query.version);
  const context = hasContext ? await pages.getContext(pageKey) : undefined;
  if (context === undefined) throw new ApiError("not_found", { message: "This version has no context." });
  return text(context);
});
