import { edgeHeaders } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { pageOperation, prefersPage } from "../http/page-operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { seeOther } from "../http/response.ts";
import { patterns } from "../http/schemas.ts";
import { isWindow, requestedPath, restrictedFileUrl, type SiteHost } from "../http/site.ts";
import {
  addressNotFound,
  findNamedPage,
  findPagePath,
  isPartOfDrop,
  pageNotFound,
} from "../refusals/other-spellings.ts";
import { showNotFoundRoute } from "./rows.ts";

/**
 * Handles requests to paths without an operation. Redirects other spellings of a page's path to the page. For other paths, sends an error
 * page to people and suggestions to programs. Redirects a browser that opens a file's URL to sign-in, because the file may be restricted.
 */
export const showNotFound = pageOperation(showNotFoundRoute, async ({ request, site, host }) => {
  // A folder's host serves only files of the folder, so its paths are never other spellings of a page's path.
  if (host.kind === "folder") throw new ApiError("not_found");
  const file = missingFile(request, host);
  if (file !== undefined && isWindow(request)) return seeOther(restrictedFileUrl(site, ...file));
  const [sent] = request.headers[edgeHeaders.asked] ?? [];
  const asked = sent ?? request.path;
  const isRead = request.method === "GET";
  const isPage = prefersPage(request) && !asked.startsWith("/api");
  const named = isPage && host.kind === "base" ? findNamedPage(asked, request.rawQuery, site) : undefined;
  const page = isRead ? (findPagePath(asked, request.rawQuery) ?? named) : undefined;
  if (page !== undefined) return seeOther(page.startsWith("/") ? requestedPath(host, page) : page);
  if (isPage) throw pageNotFound(asked);
  // The edge sends the original path in a header, except for files that the bucket does not have.
  if (sent === undefined && isRead && /^\/(b\/|not-found$)/.test(asked)) {
    const message = "There is no file at this address. GET /api/blobs lists your files with their urls.";
    throw new ApiError("not_found", { message });
  }
  if (isRead && host.kind !== "base" && !isPartOfDrop(asked)) throw addressNotFound();
  // Imports the operation definitions only for programs, because error pages for people do not need them.
  const [{ calledRows, refuseUnknownCall }, { operationIds, routeOf }] = await Promise.all([
    import("../refusals/nearest-operations.ts"),
    import("../routes.ts"),
  ]);
  throw refuseUnknownCall(request, asked, calledRows(operationIds.map(routeOf)), site);
});

/**
 * Parses the namespace and id from a path that may belong to a restricted file. Does not read the table, so that the response does not reveal
 * whether the file exists.
 */
function missingFile({ path }: HttpRequest, host: SiteHost): [namespace: string, id: string] | undefined {
  // The edge has rewritten `/b/<id>` to `/<namespace>/<id>`.
  const [, namespace = "", id = "", ...more] = path.split("/");
  const isFile = patterns.blobId.test(id) && more.length === 0;
  return host.kind === "owner" && namespace === host.namespace && isFile ? [namespace, id] : undefined;
}
