import { explainSearchParameter } from "../http/parameter-hints.ts";
import type { Route } from "../http/route.ts";
import { searchDropsQuery, searchResponse } from "./schemas.ts";

/** GET /api/search */
export const searchDropsRoute = {
  id: "search-drops",
  resource: "library",
  method: "GET",
  path: "/api/search",
  host: "base",
  addition: "docs/adr/0101-full-text-search.md",
  summary: "Full-text search",
  caller: "token",
  countsAsWrite: false,
  query: searchDropsQuery,
  explainParameter: explainSearchParameter,
  response: { status: 200, json: searchResponse },
  errors: ["unauthorized", "invalid_arg", "rate_limited"],
  errorsAs: "json",
  // A cold function opens the whole index.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: ["IDP", "INDEX", "LIMIT", "MEMBER", "NS", "SCIM", "TOKEN", "USER"],
    },
    searchIndex: ["GetObject"],
    settings: ["members"],
  },
} as const satisfies Route;
