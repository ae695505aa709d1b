import { isLocked } from "../drops/drop.ts";
import { served } from "../drops/served.ts";
import { page, pageOperation } from "../platform/page-operation.ts";
import { redirect } from "../platform/response.ts";
import { dropUrl, ownerUrl, rawUrl, seenPath } from "../platform/site.ts";
import { expectQueryBesides } from "../platform/table.ts";
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
    findServed({ request, host, slug, pinned: query.version, nowMs }),
    served.listVersions(slug),
  ]);
  const { version: asked } = query;
  if (found.kind === "base-host")
    return redirect(site.baseUrl + gatedPath({ host: { kind: "base" }, slug, from: "p", version: asked }));
  if (found.kind === "gate") {
    const from = request.path.startsWith("/d/") ? "d" : "p";
    return gatePage({ host, slug, from, version: asked }, { status: 200 });
  }
  const { drop, version, hasContext } = found;
  const { title, description, namespace, latest } = drop;
  const counted = request.method === "GET" ? countView(drop.ownerId, slug) : undefined;
  const proof = isLocked(drop) ? `&proof=${await viewerProof(request, drop)}` : "";
  const response = page(isLocked(drop) ? "locked-viewer" : "viewer", (nonce) =>
    renderViewerPage({
      title,
      description,
      namespace,
      ownerUrl: ownerUrl(site, namespace),
      canonicalUrl: dropUrl(site, namespace, slug),
      version,
      latestVersion: latest.version,
      versions: allVersions.map(({ version: number, createdAtMs, sizeBytes, hasContext: has }) => ({
        number,
        createdAtMs,
        sizeBytes,
        hasContext: has,
      })),
      hasContext,
      // On the viewer's own host, and pinned: what the picker says is what the frame shows.
      frameUrl: seenPath(host, `/p/${slug}/raw?v=${version}`),
      contextUrl: seenPath(host, `/p/${slug}/context?v=${version}${proof}`),
      rawUrl: `${rawUrl(site, namespace, slug)}${version === latest.version ? "" : `?v=${version}`}`,
      versionUrl: (number) => (number === latest.version ? "?" : `?v=${number}`),
      reportUrl: reportAddress(dropUrl(site, namespace, slug)),
      nonce,
    }),
  );
  // Lambda stops when it has answered, so the report is awaited; it gives up by itself before a reader would notice.
  await counted?.();
  return response;
});
