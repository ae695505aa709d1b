import { viewDropRoute } from "../../contract/routes.ts";
import { dropUrl, ownerUrl, rawUrl } from "../../domain/addresses.ts";
import { gatePage } from "../../http/gate.ts";
import { page } from "../../http/page-answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { findServed } from "../../http/served-version.ts";
import { served } from "../../store/served.ts";
import { countView } from "../../store/view-queue.ts";
import { renderViewerPage } from "../../views/viewer-page.tsx";

/** GET /p/{slug} and /d/{slug}: the page in a sandboxed frame, with its versions to pick from. */
export const viewDrop = pageOperation(viewDropRoute, async (input) => {
  const { request, host, path, query, site, nowMs } = input;
  const { slug } = path;
  const [found, allVersions] = await Promise.all([
    findServed({ request, host, slug, pinned: query.version, nowMs }),
    served.listVersions(slug),
  ]);
  if (found.kind === "gate") {
    const from = request.path.startsWith("/d/") ? "d" : "p";
    return gatePage({ slug, from, version: query.version }, { status: 200 });
  }
  const { drop, version, hasContext } = found;
  const { title, description, namespace, latest } = drop;
  // Lambda stops when it has answered, so the report is awaited; it gives up by itself before a reader would notice.
  if (request.method === "GET") await countView(drop.ownerId, slug);
  return page("viewer", (nonce) =>
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
      frameUrl: `/p/${slug}/raw?v=${version}`,
      contextUrl: `/p/${slug}/context?v=${version}`,
      rawUrl: `${rawUrl(site, namespace, slug)}${version === latest.version ? "" : `?v=${version}`}`,
      versionUrl: (number) => (number === latest.version ? "?" : `?v=${number}`),
      nonce,
    }),
  );
});
