import type { RejectedNames, Route } from "../http/route.ts";
import { getRenderQuery, renderResponse } from "./schemas.ts";

/** By these a caller means a version, and would be told of the latest. */
const refusedOfRender: readonly RejectedNames[] = [
  {
    names: ["version", "ver", "n", "number", "versionnumber", "rev", "revision"],
    advice: 'To select the version, send "v", such as ?v=2.',
  },
  {
    names: [
      "view",
      "views",
      "width",
      "viewport",
      "size",
      "device",
      "scheme",
      "colorscheme",
      "theme",
      "format",
    ],
    advice: "The report has every view; each has a picture with an address of its own.",
    isHarmless: true,
  },
];

/** GET /api/drops/{slug}/render */
export const getRenderRoute = {
  id: "get-render",
  resource: "renders",
  method: "GET",
  path: "/api/drops/{slug}/render",
  host: "base",
  addition: "docs/adr/0067-render-report.md",
  summary: "What a page looks like, and what is wrong with it",
  caller: "token",
  countsAsWrite: false,
  query: getRenderQuery,
  refusedParameters: refusedOfRender,
  response: { status: 200, alsoStatus: 202, json: renderResponse },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  errorsAs: "json",
  grants: {
    table: {
      actions: ["ConditionCheckItem", "GetItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    reports: ["GetObject"],
    settings: ["renders"],
  },
} as const satisfies Route;
