import { edgeHeaders } from "../core/environment.ts";
import { type Drop, isGuarded } from "../drops/drop.ts";
import { feedbackOf } from "../drops/drop-access.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { folderHostUrl } from "../drops/raw-address.ts";
import { sampleView } from "../drops/view-counts.ts";
import { countView } from "../drops/view-queue.ts";
import { decodedPath } from "../folders/find-file.ts";
import { gateAction, gateCardUrl, gatePage, newBrowserCookies } from "../gate/gate.ts";
import { findVersionForReader, type ReadableVersion, redirectToBaseHost } from "../gate/readable-version.ts";
import type { OperationInput } from "../http/operation.ts";
import {
  cachedPage,
  joinQuery,
  pageOperation,
  pageQueryOf,
  page as renderPage,
} from "../http/page-operation.ts";
import { type HttpRequest, parseQuery, singleHeader } from "../http/request.ts";
import { dropTag, type HttpResponse, ownerTag, secondsUntilExpiry, seeOther } from "../http/response.ts";
import {
  drawnUrl,
  dropUrl,
  feedbackUrl,
  oembedUrl,
  ownerUrl,
  rawUrl,
  reportAddress,
  requestedPath,
  type Site,
  type SiteHost,
} from "../http/site.ts";
import { destinationOf, pagePath } from "../identity/destination.ts";
import { isOpenToAll } from "../policies/access.ts";
import { prewarmQuery } from "../table/table.ts";
import { folderPath } from "./folder-address.ts";
import { viewDropRoute } from "./rows.ts";
import { stateQueryOf } from "./state-address.ts";
import type { FolderPage } from "./viewer-folder-page.ts";
import { renderViewerPage, viewerPageAssets } from "./viewer-page.tsx";
import type { ViewerPageProps } from "./viewer-props.ts";

prewarmQuery();

type Input = OperationInput<typeof viewDropRoute>;
type FoundVersion = Extract<ReadableVersion, { readonly kind: "version" }>;
/** Finds the page of a folder that an address names, or responds with a redirect or refusal. */
type FindPage = (found: FoundVersion) => Promise<FolderPage | { readonly response: HttpResponse }>;

/**
 * GET /p/{slug} and /d/{slug}: the page in a sandboxed frame, with a version picker. Addresses below them show a page
 * of the folder, by its path: docs/adr/0103-folders.md.
 */
export const viewDrop = pageOperation(viewDropRoute, async (input) => {
  const rest = /^\/[dp]\/[^/]+\/(.+)$/.exec(input.request.path)?.[1];
  if (rest === undefined) return view(input);
  // Only pages of folders are read from the bucket.
  const { findFolderPage, respondToUnreadable } = await import("./viewer-folder-page.ts");
  return view(input, (found) => findFolderPage(input, found, rest)).catch((error: unknown) =>
    respondToUnreadable(error, input),
  );
});

async function view(input: Input, findPage?: FindPage): Promise<HttpResponse> {
  const { request, host, path, query, site, nowMs } = input;
  const { slug } = path;
  // A download at the viewer's address downloads the page.
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
    // The form is on the base host, which gets no cookie of another host.
    return host.kind === "base" ? { ...gate, cookies: newBrowserCookies(request, slug) } : gate;
  }
  const page = await findPage?.(found);
  if (page !== undefined && "response" in page) return page.response;
  const pageQuery = pageQueryOf(request.rawQuery);
  const { drop, version, hasContext } = found;
  const { title, description, namespace, ownerNamespace, latest } = drop;
  const { views, edgeSeconds } = sampleView(
    isSameForAll(drop, request) ? drop.viewSampling : undefined,
    levelOf(request),
    nowMs,
  );
  const isShown = request.method === "GET" && page?.status !== 404;
  const counted = isShown && views > 0 ? countView(drop.ownerId, slug, views) : undefined;
  const state = await stateQueryOf(drop);
  const { indexed } = drop;
  const framedHost = folderHostUrl(site, drop, found, { version, isFramed: true });
  const render = (nonce?: string) =>
    renderViewerPage({
      title,
      description,
      // The current owner. The addresses keep the namespace of publication.
      namespace: ownerNamespace,
      ownerUrl: ownerUrl(site, ownerNamespace),
      manageUrl: site.baseUrl + pagePath({ page: "drop", slug }),
      canonicalUrl: dropUrl(site, namespace, slug) + below(page),
      folder: found.folder && folderLinks(input, found, page),
      version,
      latestVersion: latest.version,
      versions: allVersions.map(({ version: number, ...entry }) => ({ number, ...entry })),
      hasContext,
      // On the viewer's own host and pinned, so that the frame shows the version in the picker.
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
                : folderPath(slug, { version, isFramed: true, rest: page?.rest }) + joinQuery(pageQuery),
            )
          : framedHost + (page?.rest ?? "") + joinQuery(pageQuery),
      feedbackUrl:
        feedbackOf(drop) === "off"
          ? undefined
          : feedbackUrl(site, slug) +
            joinQuery(
              version === latest.version ? undefined : `v=${version}`,
              page && String(new URLSearchParams({ path: decodedPath(page.rest) ?? "" })),
            ),
      contextUrl: requestedPath(host, `/p/${slug}/context?v=${version}`),
      stateUrl: requestedPath(host, `/p/${slug}/state${state}`),
      rawUrl:
        found.folder === undefined
          ? rawUrl(site, namespace, slug) +
            joinQuery(version === latest.version ? undefined : `v=${version}`, pageQuery)
          : `${folderRawUrl(site, found)}/${page?.rest ?? ""}${joinQuery(pageQuery)}`,
      rawHasStorage: !isGuarded(drop) && site.baseDomain !== undefined,
      cardUrl: drawnUrl(site, namespace, { slug, version, name: "card" }),
      // oEmbed describes the whole drop.
      oembedUrl: isGuarded(drop) || page ? undefined : oembedUrl(site, dropUrl(site, namespace, slug)),
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
    edgeSeconds === 0 || page?.status === 404
      ? renderPage("viewer", render, { indexed, status: page?.status ?? 200, frames: [framedHost] })
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
  // Lambda freezes after the response, so the report is awaited. It times out before a reader would notice.
  await counted?.();
  return response;
}

/** The path of a folder's page below an address of the folder; empty for the entry. */
function below(page: FolderPage | undefined): string {
  return page === undefined ? "" : `/${page.rest}`;
}

/** The raw address of the folder without its slash. */
function folderRawUrl(site: Site, found: FoundVersion): string {
  const { drop } = found;
  const version = found.version === drop.latest.version ? undefined : found.version;
  const host = folderHostUrl(site, drop, found, { version });
  if (host !== undefined) return host.slice(0, -1);
  return rawUrl(site, drop.namespace, drop.slug) + (version === undefined ? "" : `/@${version}`);
}

function folderLinks(
  { host, site, path }: Input,
  found: FoundVersion,
  page: FolderPage | undefined,
): ViewerPageProps["folder"] {
  const { namespace, slug } = found.drop;
  return {
    path: page?.rest ?? "",
    pageTitle: page?.title,
    viewerPath: requestedPath(host, `/d/${path.slug}`),
    canonicalUrl: dropUrl(site, namespace, slug),
    rawUrl: folderRawUrl(site, found),
  };
}

/** Recognizes a viewer that is the same for all readers. A cookie may be a session, whose response is personal. */
function isSameForAll(drop: Drop, { headers }: HttpRequest): boolean {
  return !isGuarded(drop) && isOpenToAll(drop) && headers.cookie === undefined;
}

/** The level that the edge gave the request; undefined if an older edge gave none. */
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

/** URL that compares the shown version with the one before it, or the first version with the latest. */
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
