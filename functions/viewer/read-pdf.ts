import { isGuarded } from "../drops/drop.ts";
import { findVersionForReader, recordRead, redirectToBaseHost } from "../gate/readable-version.ts";
import { page } from "../html/page.ts";
import { pageOperation } from "../http/page-operation.ts";
import type { HttpResponse } from "../http/response.ts";
import { mediaTypes } from "../http/route.ts";
import { requestedPath } from "../http/site.ts";
import { findPdf } from "../renders/pdf.ts";
import { retryAfterOf } from "../renders/presenter.ts";
import { downloadedPage, downloadName, gateOfDownload, viewerPath } from "./page-download.ts";
import { renderPdfWaitPage } from "./pdf-wait-page.tsx";
import { readPdfRoute } from "./rows.ts";

/**
 * GET /p/{slug}/pdf: responds with the page as a PDF. Requests a missing PDF, and responds with a page that reloads
 * itself until the PDF is ready.
 */
export const readPdf = pageOperation(readPdfRoute, async (input) => {
  const { request, host, path, query, nowMs } = input;
  const found = await findVersionForReader({ request, host, slug: path.slug, pinned: query.v, nowMs });
  if (found.kind === "base-host") return redirectToBaseHost(input);
  if (found.kind === "gate") return gateOfDownload(request, path.slug, query.v);
  const { drop } = found;
  const pdf = await findPdf(drop, found, nowMs);
  if (pdf.state === "asked")
    return waitingPage(requestedPath(host, viewerPath(path.slug, query.v)), retryAfterOf(pdf));
  await recordRead(found, input);
  return downloadedPage(pdf.bytes, {
    drop,
    filename: downloadName(found, "pdf"),
    contentType: mediaTypes.pdf,
    isGuarded: isGuarded(drop),
    nowMs,
  });
});

/** Responds 202 with a page that reloads after the given number of seconds, even in a browser without scripts. */
function waitingPage(viewerUrl: string, seconds: number): HttpResponse {
  const response = page("public", (nonce) => renderPdfWaitPage({ viewerUrl, nonce }), {
    status: 202,
    indexed: false,
  });
  return {
    ...response,
    headers: { ...response.headers, "retry-after": String(seconds), refresh: String(seconds) },
  };
}
