import { ApiError } from "../../contract/api-error.ts";
import { readRawPageRoute } from "../../contract/routes.ts";
import { isLocked } from "../../domain/drop.ts";
import { addSafetyNet } from "../../domain/safety-net.ts";
import { isFramed, reloadPage } from "../../http/framed-gate.ts";
import { gatePage } from "../../http/gate.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { rawPage } from "../../http/raw-answer.ts";
import { findServed } from "../../http/served-version.ts";
import { pages } from "../../store/pages.ts";

/** GET /p/{slug}/raw: the published page with the safety-net style, and every other byte as it was published. */
export const readRawPage = pageOperation(readRawPageRoute, async (input) => {
  const { request, host, path, query, nowMs } = input;
  const found = await findServed({ request, host, slug: path.slug, pinned: query.version, nowMs });
  if (found.kind === "gate") {
    const address = { slug: path.slug, from: "raw", version: query.version } as const;
    return isFramed(request) ? reloadPage() : gatePage(address, { status: 200 });
  }
  const stored = await pages.get(found.pageKey);
  if (stored === undefined) throw new ApiError("not_found");
  return rawPage(addSafetyNet(stored.bytes, stored.styleOffset), {
    hostKind: host.kind === "base" ? "base" : "owner",
    isPinned: query.version !== undefined,
    isLocked: isLocked(found.drop),
  });
});
