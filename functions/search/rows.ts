import { apiRow } from "../http/route.ts";
import { searchDropsQuery, searchResponse } from "./schemas.ts";

export const searchDropsRoute = /* @__PURE__ */ apiRow("GET /api/search", {
  id: "search-drops",
  resource: "library",
  addition: "docs/adr/0101-full-text-search.md",
  summary: "Full-text search",
  query: searchDropsQuery,
  refusesUnknownParameters: true,
  response: { status: 200, json: searchResponse },
  errors: ["rate_limited"],
  // Extra memory, because a cold function fetches and opens the whole index.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query"],
      items: ["IDP", "INDEX", "LIMIT", "MEMBER", "NS", "SCIM", "TEAMRULE", "USER"],
    },
    searchIndex: ["GetObject"],
    settings: ["members"],
  },
});
