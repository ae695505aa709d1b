import type { Route } from "../http/route.ts";
import { comparisonQuery } from "./queries.ts";

/** GET /p/{slug}/compare */
export const showComparisonRoute = {
  id: "show-comparison",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/compare",
  host: "any",
  addition: "docs/adr/0059-version-comparison.md",
  summary: "Two versions of a page compared, as texts or side by side, for whoever may read it",
  caller: "anyone",
  countsAsWrite: false,
  query: comparisonQuery,
  response: { status: 200, content: "html" },
  errors: ["not_found"],
  errorsAs: "page",
  // A whole processor for comparing thousands of lines.
  memoryMegabytes: 1_769,
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: ["BatchGetItem", "GetItem", "Query"],
      items: ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    settings: ["members"],
    readTrail: "PutItem",
    pages: ["GetObject"],
  },
} as const satisfies Route;
