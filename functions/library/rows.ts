import { explainLibraryParameter } from "../http/parameter-hints.ts";
import type { Route } from "../http/route.ts";
import { libraryPageQuery } from "./library-filters.ts";
import { libraryResponse, listLibraryQuery } from "./schemas.ts";

/** GET /api/library */
export const listLibraryRoute = {
  id: "list-library",
  resource: "library",
  method: "GET",
  path: "/api/library",
  host: "base",
  addition: "docs/adr/0047-library-index.md",
  summary: "What others share",
  caller: "token",
  countsAsWrite: false,
  query: listLibraryQuery,
  explainParameter: explainLibraryParameter,
  response: { status: 200, json: libraryResponse },
  errors: ["unauthorized", "invalid_arg", "rate_limited"],
  errorsAs: "json",
  // Up to 300 drops to go through.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: ["IDP", "INDEX", "LIBRARY", "LIMIT", "MEMBER", "NS", "SCIM", "TOKEN", "USER"],
    },
    searchIndex: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["members"],
  },
} as const satisfies Route;

/** GET /library */
export const showLibraryRoute = {
  id: "show-library",
  resource: "library",
  method: "GET",
  path: "/library",
  host: "base",
  addition: "docs/adr/0047-library-index.md",
  summary: "What others share with who has signed in, and the members' pages",
  caller: "session",
  countsAsWrite: false,
  query: libraryPageQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden", "rate_limited"],
  errorsAs: "page",
  // As list-library.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: ["IDP", "INDEX", "LIBRARY", "LIMIT", "MEMBER", "NS", "READER", "SCIM", "SLUG", "USER"],
    },
    searchIndex: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["members", "readTrail", "renders"],
    cards: ["GetObject"],
  },
} as const satisfies Route;
