import { ApiError } from "../../contract/api-error.ts";
import { readRawPageRoute } from "../../contract/routes.ts";
import { addSafetyNet } from "../../domain/safety-net.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { rawPage } from "../../http/raw-answer.ts";
import { requireServed } from "../../http/served-version.ts";
import { pages } from "../../store/pages.ts";

/** GET /p/{slug}/raw: the published page with the safety-net style, and every other byte as it was published. */
export const readRawPage = pageOperation(readRawPageRoute, async ({ host, path, query }) => {
  const { pageKey } = await requireServed(host, path.slug, query.version);
  const stored = await pages.get(pageKey);
  if (stored === undefined) throw new ApiError("not_found");
  return rawPage(addSafetyNet(stored.bytes, stored.styleOffset), {
    hostKind: host.kind === "base" ? "base" : "owner",
    isPinned: query.version !== undefined,
  });
});
