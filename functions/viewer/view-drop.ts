import { type Drop, isGuarded } from "../drops/drop.ts";
import { feedbackOf } from "../drops/drop-access.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { folderHostUrl } from "../drops/raw-address.ts";
import { sampleView } from "../drops/view-counts.ts";
import { countView } from "../drops/view-queue.ts";
import { gateAction, gateCardUrl, gatePage, newBrowserCookies } from "../gate/gate.ts";
import { findVersionForReader, redirectToBaseHost } from "../gate/readable-version.ts";
import { edgeHeaders } from "../http/environment.ts";
import { cachedPage, joinQuery, page, pageOperation, pageQueryOf } from "../http/page-operation.ts";
import { type HttpRequest, parseQuery, singleHeader } from "../http/request.ts";
import { dropTag, ownerTag, seeOther } from "../http/response.ts";
import {
  drawnUrl,
  dropUrl,
  feedbackUrl,
  oembedUrl,
  ownerUrl,
  rawUrl,
  reportAddress,
  requestedPath,
  type SiteHost,
} from "../http/site.ts";
import { destinationOf, pagePath } from "../identity/destination.ts";
import { isOpenToAll, secondsUntilExpiry } from "../identity/visibility.ts";
import { prewarmQuery } from "../table/table.ts";
import { folderPath } from "./folder-address.ts";
import { viewDropRoute } from "./rows.ts";
import { stateQueryOf } from "./state-address.ts";
import { renderViewerPage, viewerPageAssets } from "./viewer-page.tsx";

prewarmQuery();

/** GET /p/{slug} and /d/{slug}: the page in a sandboxed frame, with its versions to pick from. */
export const viewDrop = pageOperation(viewDropRoute, async (input) => {
  const { request, host, path, query, site, nowMs } = input;
  const { slug } = path;
  // Asked of the viewer, a download is one of the page.
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
    // The form is on the base host, and no cookie of another host reaches it.
    return host.kind === "base" ? { ...gate, cookies: newBrowserCookies(request, slug) } : gate;
  }
  const pageQuery = pageQueryOf(request.rawQuery);
  const { drop, version, hasContext } = found;
  const { title, description, namespace, ownerNamespace, latest } = drop;
  const { views, edgeSeconds } = sampleView(
    isSameForAll(drop, request) ? drop.viewSampling : undefined,
    levelOf(request),
    nowMs,
  );
  const counted = request.method === "GET" && views > 0 ? countView(drop.ownerId, slug, views) : undefined;
  const state = await stateQueryOf(drop);
  const { indexed } = drop;
  const pinned = version === latest.version ? undefined : version;
  const framedHost = folderHostUrl(site, drop, found, { version, isFramed: true });
  const rawHost = folderHostUrl(site, drop, found, { version: pinned });
  const render = (nonce?: string) =>
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
      versions: allVersions.map(({ version: number, ...entry }) => ({ number, ...entry })),
      hasContext,
      // On the viewer's own host, and pinned: what the picker says is what the frame shows.
      compareUrl: compareUrl(host, slug, {
        version,
        latest: latest.version,
        first: allVersions.at(-1)?.version,
      }),
      downloadUrl: downloadPath(host, slug, version),
      frameUrl:
        framedHost === undefined
          ? requestedPath(
              host,
              found.folder === undefined
                ? `/p/${slug}/raw${joinQuery(`v=${version}&framed=1`, pageQuery)}`
                : folderPath(slug, { version, isFramed: true }) + joinQuery(pageQuery),
            )
          : framedHost + joinQuery(pageQuery),
      feedbackUrl:
        feedbackOf(drop) === "off"
          ? undefined
          : feedbackUrl(site, slug) + (version === latest.version ? "" : `?v=${version}`),
      contextUrl: requestedPath(host, `/p/${slug}/context?v=${version}`),
      stateUrl: requestedPath(host, `/p/${slug}/state${state}`),
      rawUrl:
        rawHost === undefined
          ? rawUrl(site, namespace, slug) +
            joinQuery(pinned === undefined ? undefined : `v=${pinned}`, pageQuery)
          : rawHost + joinQuery(pageQuery),
      rawHasStorage: !isGuarded(drop) && site.baseDomain !== undefined,
      cardUrl: drawnUrl(site, namespace, { slug, version, name: "card" }),
      oembedUrl: isGuarded(drop) ? undefined : oembedUrl(site, dropUrl(site, namespace, slug)),
      versionUrl: (number, besides) =>
        joinQuery(number === latest.version ? undefined : `v=${number}`, besides) || "?",
      pageQuery,
      lockUrl: drop.gate.kind === "open" ? undefined : gateAction("lock", slug, destination),
      readerUrl: isOpenToAll(drop) ? undefined : `${site.baseUrl}/login/read`,
      serviceHost: new URL(site.baseUrl).host,
      reportUrl: reportAddress(dropUrl(site, namespace, slug)),
      expiresAtMs: isInLastWeek(drop, nowMs) ? drop.expiresAtMs : undefined,
      indexed,
      nonce,
    });
  const response =
    edgeSeconds === 0
      ? page("viewer", render, { indexed, frames: [framedHost] })
      : cachedPage(render(), {
          kind: "viewer",
          inline: viewerPageAssets,
          frames: [framedHost],
          indexed,
          caching: {
            edgeSeconds: secondsUntilExpiry(drop, nowMs, edgeSeconds),
            tags: [dropTag(slug), ownerTag(drop.namespace)],
          },
        });
  // Lambda stops when it has answered, so the report is awaited; it gives up by itself before a reader would notice.
  await counted?.();
  return response;
});

/** Recognizes a viewer that is the same for everybody. A cookie may be a session, whose response is its reader's own. */
function isSameForAll(drop: Drop, { headers }: HttpRequest): boolean {
  return !isGuarded(drop) && isOpenToAll(drop) && headers.cookie === undefined;
}

/** The level that the edge gave the request; undefined where an older edge gave none. */
function levelOf(request: HttpRequest): number | undefined {
  const level = singleHeader(request, edgeHeaders.level);
  return level === undefined ? undefined : Number(level);
}

function downloadPath(host: SiteHost, slug: string, version: number | undefined): string {
  return requestedPath(
    host,
    `/p/${slug}/raw${joinQuery(version === undefined ? undefined : `v=${version}`, "download=1")}`,
  );
}

const weekSeconds = 7 * 86_400;

function isInLastWeek(drop: Pick<Drop, "expiresAtMs">, nowMs: number): boolean {
  return secondsUntilExpiry(drop, nowMs, weekSeconds) < weekSeconds;
}

/** With the version before the one shown; the first is compared with the latest. */
function compareUrl(
  host: SiteHost,
  slug: string,
  {
    version,
    latest,
    first,
  }: { readonly version: number; readonly latest: number; readonly first: number | undefined },
): string | undefined {
  if (first === undefined || first === latest) return undefined;
  const query = version === latest ? "" : version === first ? `?from=${version}` : `?to=${version}`;
  return requestedPath(host, `/p/${slug}/compare${query}`);
}
