import { apiRow, pageRow } from "../http/route.ts";
import { libraryPageQuery } from "./library-filters.ts";
import { libraryResponse, listLibraryQuery } from "./schemas.ts";

export const listLibraryRoute = /* @__PURE__ */ apiRow("GET /api/library", {
  id: "list-library",
  resource: "library",
  addition: "docs/adr/0047-library-index.md",
  summary: "What others share",
  query: listLibraryQuery,
  refusesUnknownParameters: true,
  response: { status: 200, json: libraryResponse },
  errors: ["rate_limited"],
  // Memory for more CPU, because a request reads up to 300 drops.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query"],
      items: ["IDP", "INDEX", "LIBRARY", "LIMIT", "MEMBER", "NS", "SCIM", "TEAMRULE", "USER"],
    },
    searchIndex: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["members"],
  },
});

export const showLibraryRoute = /* @__PURE__ */ pageRow("GET /library", {
  id: "show-library",
  resource: "library",
  addition: "docs/adr/0047-library-index.md",
  summary: "Pages that others share with the reader or with all members",
  caller: "session",
  query: libraryPageQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["rate_limited"],
  // Uses as much memory as list-library, because a request reads the same number of drops.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["Query", "UpdateItem"],
      items: ["INDEX", "LIBRARY", "LIMIT", "NS", "SLUG", "TEAMRULE"],
    },
    searchIndex: ["GetObject"],
    settings: ["readTrail", "renders"],
    cards: ["GetObject"],
  },
});
