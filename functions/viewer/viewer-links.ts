import { hasRenders } from "../core/environment.ts";
import { isGuarded } from "../drops/drop.ts";
import { answersOf, feedbackOf } from "../drops/drop-access.ts";
import { folderHostUrl } from "../drops/presenter.ts";
import { decodedPath } from "../folders/find-file.ts";
import { gateAction, stateQueryOf } from "../gate/gate.ts";
import type { FoundVersion } from "../gate/readable-version.ts";
import type { OperationInput } from "../http/operation.ts";
import { joinQuery } from "../http/page-operation.ts";
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
import { folderPath } from "./folder-address.ts";
import { pageQueryOf } from "./page-query.ts";
import type { viewDropRoute } from "./rows.ts";
import type { FolderPage } from "./viewer-folder-page.ts";
import type { ViewerPageProps } from "./viewer-props.ts";

type Input = OperationInput<typeof viewDropRoute>;

/**
 * Builds all URLs in the viewer of a version.
 *
 * @param page page of the folder that the viewer shows. @default - none, because the drop is a single page
 * @param first number of the drop's oldest version. @default - none, because the drop has no versions left
 */
export async function viewerLinks(
  { request, host, site }: Input,
  found: FoundVersion,
  page: FolderPage | undefined,
  first: number | undefined,
) {
  const { drop, version } = found;
  const { slug, namespace, latest } = drop;
  const isLatest = version === latest.version;
  const pin = isLatest ? undefined : `v=${version}`;
  const pathQuery = page && String(new URLSearchParams({ path: decodedPath(page.rest) ?? "" }));
  const pageQuery = pageQueryOf(request.rawQuery);
  const destination = destinationOf(request);
  const viewerUrl = dropUrl(site, namespace, slug);
  return {
    ownerUrl: ownerUrl(site, drop.ownerNamespace),
    manageUrl:
      site.baseUrl +
      pagePath({
        page: "drop",
        slug,
        query: joinQuery(host.kind === "base" ? "from=base" : "from=link", pin, pathQuery),
      }),
    canonicalUrl: page === undefined ? viewerUrl : `${viewerUrl}/${page.rest}`,
    folder: found.folder && folderLinks({ host, site }, found, page),
    // These URLs are on the viewer's own host and name the version, so that they match the version in the picker.
    compareUrl: compareUrl(host, slug, { version, latest: latest.version, first }),
    downloadUrl: downloadPath(host, slug, version),
    pdfUrl: hasRenders() ? requestedPath(host, `/p/${slug}/pdf?v=${version}`) : undefined,
    frameUrl: frameUrl({ host, site }, found, page, pageQuery),
    feedbackUrl: feedbackOf(drop) === "off" ? undefined : feedbackUrl(site, slug) + joinQuery(pin, pathQuery),
    answersPath: answersOf(drop) === "off" ? undefined : requestedPath(host, `/p/${slug}/answers`),
    contextUrl: requestedPath(host, `/p/${slug}/context?v=${version}`),
    stateUrl: requestedPath(host, `/p/${slug}/state${await stateQueryOf(drop)}`),
    rawUrl:
      found.folder === undefined
        ? rawUrl(site, namespace, slug) + joinQuery(pin, pageQuery)
        : `${folderRawUrl(site, found)}/${page?.rest ?? ""}${joinQuery(pageQuery)}`,
    cardUrl: drawnUrl(site, namespace, { slug, version, name: "card" }),
    // A folder's page has no oEmbed URL, because oEmbed describes the whole drop.
    oembedUrl: isGuarded(drop) || page ? undefined : oembedUrl(site, viewerUrl),
    versionUrl: (number, besides) =>
      joinQuery(number === latest.version ? undefined : `v=${number}`, besides) || "?",
    pageQuery,
    lockUrl: drop.gate.kind === "open" ? undefined : gateAction("lock", slug, destination),
    readerUrl: isOpenToAll(drop) ? undefined : `${site.baseUrl}/login/read`,
    serviceHost: new URL(site.baseUrl).host,
    reportUrl: reportAddress(viewerUrl),
  } satisfies Partial<ViewerPageProps>;
}

/** Returns the URL of the viewer's frame. */
function frameUrl(
  { host, site }: Pick<Input, "host" | "site">,
  found: FoundVersion,
  page: FolderPage | undefined,
  pageQuery: string,
): string {
  const { drop, version, folder } = found;
  const { slug } = drop;
  if (folder === undefined)
    return requestedPath(host, `/p/${slug}/raw${joinQuery(`v=${version}&framed=1`, pageQuery)}`);
  const ofHost = folderHostUrl(site, drop, found, { version, isFramed: true });
  const url =
    ofHost === undefined
      ? requestedPath(host, folderPath(slug, { version, isFramed: true, rest: page?.rest }))
      : ofHost + (page?.rest ?? "");
  return url + joinQuery(pageQuery);
}

/** Returns the raw URL of the folder, without the trailing slash. */
function folderRawUrl(site: Site, found: FoundVersion): string {
  const { drop } = found;
  const version = found.version === drop.latest.version ? undefined : found.version;
  const host = folderHostUrl(site, drop, found, { version });
  if (host !== undefined) return host.slice(0, -1);
  return rawUrl(site, drop.namespace, drop.slug) + (version === undefined ? "" : `/@${version}`);
}

function folderLinks(
  { host, site }: Pick<Input, "host" | "site">,
  found: FoundVersion,
  page: FolderPage | undefined,
): ViewerPageProps["folder"] {
  const { namespace, slug } = found.drop;
  return {
    path: page?.rest ?? "",
    pageTitle: page?.title,
    viewerPath: requestedPath(host, `/d/${slug}`),
    canonicalUrl: dropUrl(site, namespace, slug),
    rawUrl: folderRawUrl(site, found),
  };
}

/** Returns the download path of a pinned version, or of the latest. */
export function downloadPath(host: SiteHost, slug: string, version: number | undefined): string {
  return requestedPath(
    host,
    `/p/${slug}/raw${joinQuery(version === undefined ? undefined : `v=${version}`, "download=1")}`,
  );
}

/** Returns the URL that compares the shown version with its predecessor, or the first version with the latest. */
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
