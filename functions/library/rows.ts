import type { Route } from "../platform/route.ts";
import { libraryResponse, listLibraryQuery } from "./schemas.ts";

/** GET /api/library */
export const listLibraryRoute = {
  id: "list-library",
  resource: "library",
  method: "GET",
  path: "/api/library",
  host: "base",
  addition: "docs/adr/0047-the-library-is-an-index-of-hints.md",
  summary: "What others share with the caller, and the members' pages: newest first, searched and filtered",
  caller: "token",
  countsAsWrite: false,
  query: listLibraryQuery,
  response: { status: 200, json: libraryResponse },
  errors: ["unauthorized", "invalid_arg"],
  errorsAs: "json",
  // Up to 300 drops to go through.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: ["IDP", "LIBRARY", "MEMBER", "NS", "TOKEN", "USER"],
    },
    secrets: ["cookieKey"],
    settings: ["members"],
  },
} as const satisfies Route;
