import { isGuarded } from "../drops/drop.ts";
import { served } from "../drops/served.ts";
import { ApiError } from "../platform/errors.ts";
import { page, pageOperation } from "../platform/page-operation.ts";
import { joinQuery, pageQueryOf } from "../platform/page-query.ts";
import type { HttpRequest } from "../platform/request.ts";
import { fetchDestination, isPrefetched } from "../platform/request-origin.ts";
import { redirect } from "../platform/response.ts";
import { dropUrl, ownerUrl, rawUrl, seenPath } from "../platform/site.ts";
import { expectQueryBesides } from "../platform/table.ts";
import { isOpenToAll } from "../platform/visibility.ts";
import { bindingOf } from "../readers/bind.ts";
import { entranceQuery, pagePath } from "../readers/destination.ts";
import { isOfKnownReader, passOf } from "../readers/pass.ts";
import { gatedPath, gatePage, viewerProof } from "./gate.ts";
import { reportAddress } from "./report-address.ts";
import { viewDropRoute } from "./rows.ts";
import { findServed } from "./served-version.ts";
import { countView } from "./view-queue.ts";
import { renderViewerPage } from "./viewer-page.tsx";

expectQueryBesides();

/** GET /p/{slug} and /d/{slug}: the page in a sandboxed frame, with its versions to pick from. */
export const viewDrop = pageOperation(viewDropRoute, async (input) => {
  const { request, host, path, query, site, nowMs } = input;
  const { slug } = path;
  const [found, allVersions] = await Promise.all([
    findServed({ request, host, slug, pinned: query.version, nowMs }).catch((error: unknown) => {
      if (isMissingToKnownReader(error, request, slug)) return { kind: "sign-in" } as const;
      throw error;
    }),
    served.listVersions(slug),
  ]);
  const from = request.path.startsWith("/d/") ? "d" : "p";
  const asked = { slug, from, version: query.version, pageQuery: pageQueryOf(request.rawQuery) } as const;
  if (found.kind === "base-host")
    return redirect(site.baseUrl + gatedPath({ ...asked, host: { kind: "base" }, from: "p" }));
  if (found.kind === "sign-in") {
    const way = entranceQuery({ ...asked, version: asked.version || undefined });
    way.set("account", "known");
    return redirect(seenPath(host, `/p/${slug}/read?${way}`));
  }
  if (found.kind === "gate") return gatePage({ ...asked, host }, { status: 200 });
  const { pageQuery } = asked;
  const { drop, version, hasContext } = found;
  const { title, description, namespace, ownerNamespace, latest } = drop;
  const counted = request.method === "GET" ? countView(drop.ownerId, slug) : undefined;
  const proof = isGuarded(drop) ? `&proof=${await viewerProof(request, drop)}` : "";
  const { indexed } = drop;
  const render = (nonce: string) =>
    renderViewerPage({
      title,
      description,
      // Whose it is now; the addresses are those under which it was published.
      namespace: ownerNamespace,
      ownerUrl: ownerUrl(site, ownerNamespace),
      manageUrl: site.baseUrl + pagePath({ page: "drop", slug }),
      canonicalUrl: dropUrl(site, namespace, slug),
      version,
      latestVersion: latest.version,
      versions: allVersions.map(({ version: number, createdAtMs, sizeBytes, hasContext: has, note }) => ({
        number,
        createdAtMs,
        sizeBytes,
        hasContext: has,
        note,
      })),
      hasContext,
      // On the viewer's own host, and pinned: what the picker says is what the frame shows.
      downloadUrl: seenPath(host, `/p/${slug}/raw?v=${version}&download=1`),
      frameUrl: seenPath(host, `/p/${slug}/raw${joinQuery(`v=${version}&framed=1`, pageQuery)}`),
      contextUrl: seenPath(host, `/p/${slug}/context?v=${version}${proof}`),
      rawUrl:
        rawUrl(site, namespace, slug) +
        joinQuery(version === latest.version ? undefined : `v=${version}`, pageQuery),
      versionUrl: (number, besides) =>
        joinQuery(number === latest.version ? undefined : `v=${number}`, besides) || "?",
      pageQuery,
      readerUrl: isOpenToAll(drop) ? undefined : `${site.baseUrl}/login/read`,
      serviceHost: new URL(site.baseUrl).host,
      reportUrl: reportAddress(dropUrl(site, namespace, slug)),
      indexed,
      nonce,
    });
  const response = page(isGuarded(drop) ? "guarded-viewer" : "viewer", render, { indexed });
  // Lambda stops when it has answered, so the report is awaited; it gives up by itself before a reader would notice.
  await counted?.();
  return response;
});

/**
 * Whether somebody comes to what seems not to be there who has signed in before on this host: for them it may be. Whether there is
 * such a drop makes no difference. Who has just come from there, and has nothing, is not sent again.
 */
function isMissingToKnownReader(error: unknown, request: HttpRequest, slug: string): boolean {
  if (!(error instanceof ApiError) || error.code !== "not_found") return false;
  const isWindow = fetchDestination(request) === "window" && !isPrefetched(request);
  const isOnTheWay = bindingOf(request, slug) !== undefined || passOf(request, slug) !== undefined;
  return isWindow && isOfKnownReader(request) && !isOnTheWay;
}
