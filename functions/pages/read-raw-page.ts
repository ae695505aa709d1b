import { isGuarded } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import { ApiError } from "../platform/errors.ts";
import { pageOperation } from "../platform/page-operation.ts";
import { fetchDestination, isWindowOnBaseHost } from "../platform/request-origin.ts";
import { redirect } from "../platform/response.ts";
import { hasOwnOrigin, rawUrl } from "../platform/site.ts";
import { drawnPage } from "./drawn-page.ts";
import { withFileKeys } from "./embedded-files.ts";
import { frameProof, gateCardUrl, gatePage, reloadPage } from "./gate.ts";
import { gatedPath } from "./gate-address.ts";
import { downloadedPage, downloadName } from "./page-download.ts";
import { addDefaultStyle, frameScript, rawPage } from "./raw-response.ts";
import { readRawPageRoute } from "./rows.ts";
import { findServed, requireDrop } from "./served-version.ts";

const lockedAdvice =
  "This page is locked. Open it first, and download it there: what saves a link does not bring what opens it.";

/**
 * GET /p/{slug}/raw: the published page with the safety-net style, and every other byte as it was published; but for keys of files
 * in a page that only some may read. To be saved it is what was published, and nothing else; `?drawn=` is a picture of it.
 */
export const readRawPage = pageOperation(readRawPageRoute, async (input) => {
  const { request, host, path, query, site, nowMs } = input;
  const asked = { request, host, slug: path.slug, pinned: query.version, nowMs };
  if (query.drawn !== undefined)
    return drawnPage(query.drawn, await findServed(asked), { isPinned: query.version !== undefined });
  // No page fills a window at the sign-in's own address. Browsers that do not tell stay there, or are sent there below.
  if (host.kind === "base" && isWindowOnBaseHost(request) && !query.isDownload) {
    const { namespace } = await requireDrop(asked);
    const pin = query.version === undefined ? "" : `?v=${query.version}`;
    return redirect(rawUrl(site, namespace, path.slug) + pin);
  }
  const found = await findServed(asked);
  const address = { host, slug: path.slug, from: "raw", version: query.version } as const;
  if (found.kind === "base-host") {
    const there = new URL(site.baseUrl + gatedPath({ ...address, host: { kind: "base" } }));
    if (query.isDownload) there.searchParams.set("download", "1");
    return redirect(there.href);
  }
  if (found.kind === "gate" && query.isDownload) {
    // A browser that saves a link does not say so, and the cookie opens nothing for it. A gate is not to be saved for the page.
    if (fetchDestination(request) === "part") throw new ApiError("not_found", { message: lockedAdvice });
    return gatePage({ ...address, from: "p" }, { status: 200 });
  }
  if (found.kind === "gate") {
    return fetchDestination(request) === "frame"
      ? reloadPage()
      : gatePage(address, { status: 200, cardUrl: gateCardUrl(site, host, path.slug) });
  }
  const stored = await pages.getChunks(found.pageKey);
  if (stored === undefined) throw new ApiError("not_found");
  if (query.isDownload) {
    const { title, slug, latest } = found.drop;
    const version = found.version === latest.version ? undefined : found.version;
    return downloadedPage(Buffer.concat(stored.chunks), {
      filename: downloadName({ title, slug, version }),
      isGuarded: isGuarded(found.drop),
    });
  }
  const script = query.isFramed ? frameScript(await frameProof(request, found.drop)) : "";
  const styled = addDefaultStyle(stored.chunks, stored.styleOffset, script);
  const { drop, session } = found;
  const bytes = session === undefined ? styled : await withFileKeys(styled, drop, { site, session, nowMs });
  return rawPage(bytes, {
    hasOwnOrigin: hasOwnOrigin(host),
    isPinned: query.version !== undefined,
    isGuarded: isGuarded(drop),
    isFramed: query.isFramed,
  });
});
