import { type ApiError, errorCatalog, type Message } from "../core/errors.ts";
import { withExpected } from "./expected-call.ts";
import type { HttpRequest } from "./request.ts";
import type { Route } from "./route.ts";
import { guideUrl, readSite } from "./site.ts";
import { isReviewed } from "./warnings.ts";

/** Advice for a 404, with the calls that list existing resources, by kind of resource. */
const whereToLook: Partial<Record<Route["resource"], Message>> = {
  drops: {
    http: "You have no such drop. It may have been deleted, or a letter in the slug has the wrong case. GET /api/drops lists your drops, and GET /api/blobs your files. Read other people's drops at their url: GET /api/library lists them.",
    tool: "You have no such drop. It may have been deleted, or a letter in the slug has the wrong case. list_drops lists your drops, list_blobs your files, and list_library other people's drops.",
  },
  versions: {
    http: "You have no such drop or version. GET /api/drops lists your drops, and GET /api/drops/{slug}/versions their versions.",
    tool: "You have no such drop or version. list_drops lists your drops, and list_versions their versions.",
  },
  blobs: {
    http: "You have no such file. GET /api/blobs lists your files with their ids.",
    tool: "You have no such file. list_blobs lists your files with their ids.",
  },
  tokens: "You have no token with this id. GET /api/tokens lists yours. Send the id, not the token.",
};

/**
 * Adds advice to an operation's error: the expected call, and for `not_found` the guide and the call that lists existing resources. For
 * tools, only chooses the tools' terms, because the MCP server adds the expected arguments.
 */
export function explainRefusal(route: Route, request: HttpRequest, error: ApiError): ApiError {
  const { caller, resource } = route;
  const isBare = error.both === errorCatalog.not_found.message && caller === "token";
  const said = isBare ? error.saying(whereToLook[resource] ?? error.both) : error;
  if (request.isToolCall) return said.forTools();
  const found =
    error.code === "not_found" ? said.saying(said.both, { guide: guideUrl(readSite(request)) }) : said;
  return isReviewed(route) && (error.status === 400 || error.status === 404)
    ? withExpected(found, route, request)
    : found;
}
