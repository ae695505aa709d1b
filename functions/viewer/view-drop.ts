import { edgeHeaders, hasEmbedding } from "../core/environment.ts";
import { type Drop, isGuarded } from "../drops/drop.ts";
import { folderHostUrl } from "../drops/presenter.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { sampleView } from "../drops/view-counts.ts";
import { countView } from "../drops/view-queue.ts";
import { gateCardUrl, gatePage, identifyBrowser } from "../gate/gate.ts";
import { type FoundVersion, findVersionForReader, redirectToBaseHost } from "../gate/readable-version.ts";
import { cachedPage, page as renderPage } from "../html/page.ts";
import type { OperationInput } from "../http/operation.ts";
import { pageOperation } from "../http/page-operation.ts";
import { type HttpRequest, parseQuery, singleHeader } from "../http/request.ts";
import { dropTag, type HttpResponse, ownerTag, secondsUntilExpiry, seeOther } from "../http/response.ts";
import { fetchDestination } from "../http/site.ts";
import { destinationOf } from "../identity/destination.ts";
import { canShare, isOpenToAll } from "../policies/access.ts";
import { prewarmQuery } from "../table/table.ts";
import { viewDropRoute } from "./rows.ts";
import type { FolderPage } from "./viewer-folder-page.ts";
import { downloadPath, viewerLinks } from "./viewer-links.ts";
import { renderViewerPage, viewerPageAssets } from "./viewer-page.tsx";

prewarmQuery();

const weekSeconds = 7 * 86_400;

type Input = OperationInput<typeof viewDropRoute>;
/** Finds the folder page at a URL, or responds with a redirect or an error. */
type FindPage = (found: FoundVersion) => Promise<FolderPage | { readonly response: HttpResponse }>;

/**
 * GET /p/{slug} and /d/{slug}: renders the viewer, with the page in a sandboxed frame and a version picker. Longer
 * paths show a page of the folder; see docs/adr/0103-folders.md.
 */
export const viewDrop = pageOperation(viewDropRoute, async (input) => {
  if (!hasEmbedding() || fetchDestination(input.request) !== "frame") return viewAddress(input);
  // Loads the module only if embedding is enabled and the request comes from a frame.
  const { viewInFrame } = await import("./embedded-view.tsx");
  return viewInFrame(input, viewAddress);
});

async function viewAddress(input: Input): Promise<HttpResponse> {
  const rest = /^\/[dp]\/[^/]+\/(.+)$/.exec(input.request.path)?.[1];
  if (rest === undefined) return view(input);
  // Loaded on demand, because only folder pages are read from the bucket.
  const { findFolderPage, respondToUnreadable } = await import("./viewer-folder-page.ts");
  return view(input, (found) => findFolderPage(input, found, rest)).catch((error: unknown) =>
    respondToUnreadable(error, input),
  );
}

async function view(input: Input, findPage?: FindPage): Promise<HttpResponse> {
  const { request, host, path, query, site, nowMs } = input;
  const { slug } = path;
  // The query parameter `download` redirects to the page's download.
  const sent = parseQuery(request.rawQuery);
  if (sent.download !== undefined) return seeOther(downloadPath(host, slug, query.v));
  const [found, allVersions] = await Promise.all([
    findVersionForReader({ request, host, slug, pinned: query.v, nowMs }),
    publicDrops.listVersions(slug),
  ]);
  if (found.kind === "base-host") return redirectToBaseHost(input);
  const destination = destinationOf(request);
  if (found.kind === "gate") {
    const isInAddress = ["passcode", "password", "key", "pass", "code"].some((name) => name in sent);
    const cardUrl = gateCardUrl(site, slug);
    const gate = gatePage({ slug, to: destination }, { status: 200, cardUrl, isInAddress });
    // Sets cookies only on the base host, because the form is sent to this host, without the cookies of other hosts.
    return host.kind === "base" ? { ...gate, cookies: identifyBrowser(request, slug).cookies } : gate;
  }
  const page = await findPage?.(found);
  if (page !== undefined && "response" in page) return page.response;
  const { drop, version, hasContext, reader } = found;
  const { views, edgeSeconds } = sampleView(
    isSameForAll(drop, request) ? drop.viewSampling : undefined,
    levelOf(request),
    nowMs,
  );
  const isShown = request.method === "GET" && page?.status !== 404;
  const counted = isShown && views > 0 ? countView(drop.ownerId, slug, views) : undefined;
  const links = await viewerLinks(input, found, page, allVersions.at(-1)?.version);
  const { title, description, indexed } = drop;
  const render = (nonce?: string) =>
    renderViewerPage({
      ...links,
      sharing: canShare(drop, reader, nowMs) ? "button" : reader === undefined ? "link" : "none",
      title,
      description,
      // Shows the current owner. URLs keep the namespace in which the drop was published.
      namespace: drop.ownerNamespace,
      version,
      latestVersion: drop.latest.version,
      versions: allVersions.map(({ version: number, ...entry }) => ({ number, ...entry })),
      hasContext,
      rawHasStorage: !isGuarded(drop) && site.baseDomain !== undefined,
      expiresAtMs: secondsUntilExpiry(drop, nowMs, weekSeconds) < weekSeconds ? drop.expiresAtMs : undefined,
      indexed,
      nonce,
    });
  const frames = [folderHostUrl(site, drop, found, { version, isFramed: true })];
  const response =
    edgeSeconds === 0 || page?.status === 404
      ? renderPage("viewer", render, { indexed, status: page?.status ?? 200, frames })
      : cachedPage(render(), {
          kind: "viewer",
          inline: viewerPageAssets,
          frames,
          indexed,
          caching: {
            edgeSeconds: secondsUntilExpiry(drop, nowMs, edgeSeconds),
            tags: [dropTag(slug), ownerTag(drop.namespace)],
          },
        });
  // Awaits the view report, because Lambda freezes the function after the response. The report times out before a
  // reader would notice a delay.
  await counted?.();
  return response;
}

/** Checks whether all readers get the same viewer. A request with cookies may have a session, so its response may be personal. */
function isSameForAll(drop: Drop, { headers }: HttpRequest): boolean {
  return !isGuarded(drop) && isOpenToAll(drop) && headers.cookie === undefined;
}

/** Returns the view sampling level that the edge sent with the request. Returns undefined if an older edge release sent none. */
function levelOf(request: HttpRequest): number | undefined {
  const level = singleHeader(request, edgeHeaders.level);
  return level === undefined ? undefined : Number(level);
}
