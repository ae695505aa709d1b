import { edgeHeaders } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import {
  addressNotFound,
  findNamedPage,
  findPagePath,
  isPartOfDrop,
  pageNotFound,
} from "../http/other-spellings.ts";
import { pageOperation, prefersPage } from "../http/page-operation.ts";
import type { HttpRequest } from "../http/request.ts";
import { seeOther } from "../http/response.ts";
import { patterns } from "../http/schemas.ts";
import { isWindow, requestedPath, restrictedFileUrl, type SiteHost } from "../http/site.ts";
import { showNotFoundRoute } from "./rows.ts";

/**
 * Response for every address without an operation: other spellings of a page's address redirect to it; otherwise people get an error page
 * and programs get suggestions. A browser that opens a file's address is redirected to sign-in, since the file may be restricted.
 */
export const showNotFound = pageOperation(showNotFoundRoute, async ({ request, site, host }) => {
  // Its paths are those of a folder, and never another spelling of the service's own paths.
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
  // The storage had no such file. The edge tells the address of all other requests.
  if (sent === undefined && isRead && /^\/(b\/|not-found$)/.test(asked)) throw fileNotFound();
  if (isRead && host.kind !== "base" && !isPartOfDrop(asked)) throw addressNotFound();
  // Pages for people do not need the rows, so only programs load them.
  const [{ calledRows, refuseUnknownCall }, { operationIds, routeOf }] = await Promise.all([
    import("../http/nearest-operations.ts"),
    import("../routes.ts"),
  ]);
  throw refuseUnknownCall(request, asked, calledRows(operationIds.map(routeOf)), site);
});

function fileNotFound(): ApiError {
  const message = "There is no file at this address. GET /api/blobs lists your files with their urls.";
  return new ApiError("not_found", { message });
}

/**
 * Namespace and id of a file that may be restricted, because it is not public. Nothing is looked up, so that the response does not reveal
 * if the file exists.
 */
function missingFile({ path }: HttpRequest, host: SiteHost): [namespace: string, id: string] | undefined {
  // The edge has rewritten `/b/<id>`.
  const [, namespace = "", id = "", ...more] = path.split("/");
  const isFile = patterns.blobId.test(id) && more.length === 0;
  return host.kind === "owner" && namespace === host.namespace && isFile ? [namespace, id] : undefined;
}
