import { apiRoute } from "../http/route.ts";
import { searchDropsQuery, searchResponse } from "./schemas.ts";

/** GET /api/search */
export const searchDropsRoute = /* @__PURE__ */ apiRoute({
  id: "search-drops",
  resource: "library",
  method: "GET",
  path: "/api/search",
  addition: "docs/adr/0101-full-text-search.md",
  summary: "Full-text search",
  query: searchDropsQuery,
  refusesUnknownParameters: true,
  response: { status: 200, json: searchResponse },
  errors: ["unauthorized", "invalid_arg", "rate_limited"],
  // A cold function opens the whole index.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: ["IDP", "INDEX", "LIMIT", "MEMBER", "NS", "SCIM", "TEAMRULE", "TOKEN", "USER"],
    },
    searchIndex: ["GetObject"],
    settings: ["members"],
  },
});
