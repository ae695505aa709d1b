import { isGuarded } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { ApiError } from "../platform/errors.ts";
import { pageOperation } from "../platform/page-operation.ts";
import { fetchDestination, isWindowOnBaseHost } from "../platform/request-origin.ts";
import { redirect } from "../platform/response.ts";
import { hasOwnOrigin, rawUrl } from "../platform/site.ts";
import { withFileKeys } from "./embedded-files.ts";
import { gatedPath, gatePage, reloadPage } from "./gate.ts";
import { addDefaultStyle, frameScript, rawPage } from "./raw-response.ts";
import { readRawPageRoute } from "./rows.ts";
import { findServed, requireDrop } from "./served-version.ts";

/**
 * GET /p/{slug}/raw: the published page with the safety-net style, and every other byte as it was published; but for keys of files
 * in a page that only some may read.
 */
export const readRawPage = pageOperation(readRawPageRoute, async (input) => {
  const { request, host, path, query, site, nowMs } = input;
  // No page fills a window at the sign-in's own address. Browsers that do not tell stay there, or are sent there below.
  if (host.kind === "base" && isWindowOnBaseHost(request)) {
    const { namespace } = await requireDrop({ request, host, slug: path.slug, nowMs });
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
  const stored = await pages.getChunks(found.pageKey);
  if (stored === undefined) throw new ApiError("not_found");
  const script = query.isFramed ? frameScript : "";
  const styled = addDefaultStyle(stored.chunks, stored.styleOffset, script);
  const { drop, session } = found;
  const bytes = session === undefined ? styled : await withFileKeys(styled, drop, { site, session, nowMs });
  return rawPage(bytes, {
    hasOwnOrigin: hasOwnOrigin(host),
    isPinned: query.version !== undefined,
    isGuarded: isGuarded(drop),
  });
});
