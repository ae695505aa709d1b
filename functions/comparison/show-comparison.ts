import { ApiError } from "../core/errors.ts";
import type { Drop, Version } from "../drops/drop.ts";
import { visibleText } from "../drops/page-text.ts";
import { folderHostUrl } from "../drops/presenter.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { compareFolders, findVersionBefore, versionTexts } from "../drops/version-changes.ts";
import { gatePage } from "../gate/gate.ts";
import { findVersionForReader, recordRead, redirectToBaseHost } from "../gate/readable-version.ts";
import { page } from "../html/page.ts";
import { pageOperation } from "../http/page-operation.ts";
import { requestedPath } from "../http/site.ts";
import { destinationOf, pagePath } from "../identity/destination.ts";
import { prewarmQuery } from "../table/table.ts";
import { type ComparisonPageProps, renderComparisonPage } from "./comparison-page.tsx";
import { markChanges } from "./page-marks.ts";
import { showComparisonRoute } from "./rows.ts";
import { compareLines } from "./text-comparison.ts";

prewarmQuery();

/** Maximum sizes of the compared lines as HTML, in bytes. With these limits, the whole page stays below 200 KB. */
const pageBytesMax = 130_000;
const contextBytesMax = 50_000;
/** Maximum length of a page for a comparison by words, in UTF-16 code units of HTML. Only a folder's entry page can be longer. */
const markedLengthMax = 2 * 1024 * 1024;

/**
 * GET /p/{slug}/compare: compares two versions, side by side or as source text, for readers of the page. The request is
 * not counted as a view.
 */
export const showComparison = pageOperation(showComparisonRoute, async (input) => {
  const { request, host, path, query, site, nowMs } = input;
  const { slug } = path;
  const [found, versions] = await Promise.all([
    findVersionForReader({ request, host, slug, pinned: undefined, nowMs }),
    publicDrops.listVersions(slug),
  ]);
  if (found.kind === "base-host") return redirectToBaseHost(input);
  if (found.kind === "gate") return gatePage({ slug, to: destinationOf(request) }, { status: 200 });
  const { drop } = found;
  const { from, to } = chooseVersions(versions, drop, query);
  const frameUrl = (version: number) =>
    folderHostUrl(site, drop, version === from.version ? from : to, { version, isFramed: true }) ??
    requestedPath(host, `/p/${slug}/raw?v=${version}&framed=1`);
  const frames = [frameUrl(from.version), frameUrl(to.version)];
  const [compared] = await Promise.all([
    query.view === "pages" ? compareVersionPages(from, to) : compareVersionTexts(from, to),
    recordRead(found, input),
  ]);
  const render = (nonce: string) =>
    renderComparisonPage({
      title: drop.title,
      from: shownVersion(from),
      to: shownVersion(to),
      latestVersion: drop.latest.version,
      versions: versions.map(shownVersion),
      compared,
      path: requestedPath(host, `/p/${slug}/compare`),
      viewerUrl: (version) =>
        requestedPath(host, `/p/${slug}${version === drop.latest.version ? "" : `?v=${version}`}`),
      frameUrl,
      contextUrl: (version) => requestedPath(host, `/p/${slug}/context?v=${version}`),
      rawUrl: (version) => requestedPath(host, `/p/${slug}/raw?v=${version}`),
      manageUrl: site.baseUrl + pagePath({ page: "drop", slug }),
      nonce,
    });
  return page("comparison", render, { frames });
});

/** Chooses the versions to compare. @throws ApiError `not_found` for an unknown version, or if there is only one version */
function chooseVersions(
  versions: readonly Version[],
  { latest }: Drop,
  asked: { readonly from?: number | undefined; readonly to?: number | undefined },
): { readonly from: Version; readonly to: Version } {
  const find = (number: number) => versions.find(({ version }) => version === number);
  const to = find(asked.to ?? latest.version);
  const from = to && (asked.from === undefined ? findVersionBefore(versions, to) : find(asked.from));
  if (to === undefined || from === undefined)
    throw new ApiError("not_found", {
      message: "One of these versions does not exist, or the page has only one version.",
    });
  return { from, to };
}

async function compareVersionPages(from: Version, to: Version): Promise<ComparisonPageProps["compared"]> {
  const [before, after] = await readTexts("html", from, to);
  const isTooLarge = Math.max(before.length, after.length) > markedLengthMax;
  const marks = isTooLarge
    ? ({ kind: "unmarked" } as const)
    : markChanges(visibleText(before), visibleText(after));
  return { view: "pages", marks };
}

async function compareVersionTexts(from: Version, to: Version): Promise<ComparisonPageProps["compared"]> {
  const compare = async (text: "html" | "context", bytesMax: number) =>
    compareLines(...(await readTexts(text, from, to)), bytesMax);
  const hasContext = from.hasContext || to.hasContext;
  const [ofPages, ofContexts, files] = await Promise.all([
    compare("html", pageBytesMax),
    hasContext ? compare("context", contextBytesMax) : undefined,
    compareFolders(from, to),
  ]);
  return { view: "text", page: ofPages, context: ofContexts, files };
}

/** Reads a text of both versions. @throws ApiError `not_found` if a version was deleted in the meantime */
async function readTexts(
  text: "html" | "context",
  from: Version,
  to: Version,
): Promise<readonly [before: string, after: string]> {
  const [before, after] = await Promise.all([versionTexts[text](from), versionTexts[text](to)]);
  if (before === undefined || after === undefined) throw new ApiError("not_found");
  return [before, after];
}

function shownVersion({ version, createdAtMs, sizeBytes, hasContext, note }: Version) {
  return { number: version, createdAtMs, sizeBytes, hasContext, note };
}
