import { ApiError } from "../../contract/api-error.ts";
import { readRawPageRoute } from "../../contract/page-routes.ts";
import { hasOwnOrigin, rawUrl } from "../../domain/addresses.ts";
import { isLocked } from "../../domain/drop.ts";
import { addSafetyNet } from "../../domain/safety-net.ts";
import { redirect } from "../../http/answer.ts";
import { fetchDestination, isWindowOnBaseHost } from "../../http/fetch-destination.ts";
import { reloadPage } from "../../http/framed-gate.ts";
import { gatedPath, gatePage } from "../../http/gate.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { rawPage } from "../../http/raw-answer.ts";
import { findServed, requireDrop } from "../../http/served-version.ts";
import { pages } from "../../store/pages.ts";

/** GET /p/{slug}/raw: the published page with the safety-net style, and every other byte as it was published. */
export const readRawPage = pageOperation(readRawPageRoute, async (input) => {
  const { request, host, path, query, site, nowMs } = input;
  // No page fills a window at the sign-in's own address. Browsers that do not tell stay there, or are sent there below.
  if (host.kind === "base" && isWindowOnBaseHost(request)) {
    const { namespace } = await requireDrop(host, path.slug);
    const pin = query.version === undefined ? "" : `?v=${query.version}`;
    return redirect(rawUrl(site, namespace, path.slug) + pin);
  }
  const found = await findServed({ request, host, slug: path.slug, pinned: query.version, nowMs });
  const address = { host, slug: path.slug, from: "raw", version: query.version } as const;
  if (found.kind === "base-host")
    return redirect(site.baseUrl + gatedPath({ ...address, host: { kind: "base" } }));
  if (found.kind === "gate") {
    return fetchDestination(request) === "frame" ? reloadPage() : gatePage(address, { status: 200 });
  }
  const stored = await pages.get(found.pageKey);
  if (stored === undefined) throw new ApiError("not_found");
  return rawPage(addSafetyNet(stored.bytes, stored.styleOffset), {
    hasOwnOrigin: hasOwnOrigin(host),
    isPinned: query.version !== undefined,
    isLocked: isLocked(found.drop),
  });
});
