import { apiRoute, pageRoute } from "../http/route.ts";
import { libraryPageQuery } from "./library-filters.ts";
import { libraryResponse, listLibraryQuery } from "./schemas.ts";

/** GET /api/library */
export const listLibraryRoute = /* @__PURE__ */ apiRoute({
  id: "list-library",
  resource: "library",
  method: "GET",
  path: "/api/library",
  addition: "docs/adr/0047-library-index.md",
  summary: "What others share",
  query: listLibraryQuery,
  refusesUnknownParameters: true,
  response: { status: 200, json: libraryResponse },
  errors: ["unauthorized", "invalid_arg", "rate_limited"],
  // Up to 300 drops are read.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: ["IDP", "INDEX", "LIBRARY", "LIMIT", "MEMBER", "NS", "SCIM", "TEAMRULE", "TOKEN", "USER"],
    },
    searchIndex: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["members"],
  },
});

/** GET /library */
export const showLibraryRoute = /* @__PURE__ */ pageRoute({
  id: "show-library",
  resource: "library",
  method: "GET",
  path: "/library",
  addition: "docs/adr/0047-library-index.md",
  summary: "Pages that others share with the reader or with all members",
  caller: "session",
  query: libraryPageQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden", "rate_limited"],
  // The same as list-library.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: [
        "IDP",
        "INDEX",
        "LIBRARY",
        "LIMIT",
        "MEMBER",
        "NS",
        "READER",
        "SCIM",
        "SLUG",
        "TEAMRULE",
        "USER",
      ],
    },
    searchIndex: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["members", "readTrail", "renders"],
    cards: ["GetObject"],
  },
});
