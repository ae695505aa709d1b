import { ApiError } from "../core/errors.ts";
import { cachedPage } from "../html/page.ts";
import { pageOperation } from "../http/page-operation.ts";
import { cachedRedirect, ownerTag } from "../http/response.ts";
import { blobUrl, dropUrl, ownerUrl, reportAddress, requestedPath } from "../http/site.ts";
import { findThumbnails, picturedRowsMax, thumbnailUrl } from "../renders/thumbnails.ts";
import { findOwnerListingPage } from "./owner-listing.ts";
import { ownerPageAssets, renderOwnerPage } from "./owner-page.tsx";
import { showOwnerPageRoute } from "./rows.ts";

/** Edge cache time in seconds, the same as for a drop's page; see docs/adr/0028-owner-pages.md. */
const edgeSeconds = 2;

/** GET / on an owner's host: lists drops and files, newest first, in pages. The response is the same for every caller. */
export const showOwnerPage = pageOperation(showOwnerPageRoute, async ({ host, query, site, nowMs }) => {
  const namespace = host.kind === "owner" ? host.namespace : "";
  const caching = { edgeSeconds, tags: [ownerTag(namespace)] };
  const hrefFor = (number: number) => requestedPath(host, number === 1 ? "/" : `/?page=${number}`);
  const listing = await findOwnerListingPage(namespace, query.page, nowMs);
  if (listing === undefined) throw new ApiError("not_found");
  // Redirects to the first page. A redirect to the last page would reveal the number of unlisted drops.
  if (listing === "past-the-last") return cachedRedirect(hrefFor(1), caching);
  const open = listing.drops.slice(0, picturedRowsMax).filter(({ title }) => title !== null);
  const thumbnails = await findThumbnails(open.map((drop) => ({ ...drop, visibility: { kind: "public" } })));
  const body = renderOwnerPage({
    namespace,
    homeUrl: `${site.baseUrl}/`,
    feedUrl: requestedPath(host, "/feed"),
    dropCount: listing.dropCount,
    fileCount: listing.fileCount,
    // Transferred drops and files keep the URLs from their first account.
    drops: listing.drops.map((drop, index) => ({
      title: drop.title,
      url: dropUrl(site, drop.namespace, drop.slug),
      updatedAtMs: drop.updatedAtMs,
      locked: drop.title === null,
      group: drop.group,
      isPictured: thumbnails.size > 0 && index < picturedRowsMax,
      thumbnailUrl: thumbnails.has(drop.slug) ? thumbnailUrl(site, drop) : undefined,
    })),
    files: listing.files.map(({ id, namespace: at, ...file }) => ({ ...file, url: blobUrl(site, at, id) })),
    page: { number: query.page, count: listing.pageCount, hrefFor },
    reportUrl: reportAddress(ownerUrl(site, namespace)),
  });
  const picturesFrom = thumbnails.size > 0 ? site.baseUrl : undefined;
  return cachedPage(body, { inline: ownerPageAssets, caching, picturesFrom });
});
