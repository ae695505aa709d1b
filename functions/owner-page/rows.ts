import type { Route } from "../http/route.ts";
import { ownerPageQuery } from "./queries.ts";

/** GET /owner */
export const showOwnerPageRoute = {
  id: "show-owner-page",
  resource: "pages",
  method: "GET",
  path: "/owner",
  host: "owner",
  addition: '"Each owner has a public page"',
  summary: "An owner's public page: drops and files",
  caller: "anyone",
  countsAsWrite: false,
  query: ownerPageQuery,
  response: { status: 200, content: "html" },
  errors: ["not_found"],
  errorsAs: "page",
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: ["NS", "SLUG", "USER"] },
    settings: ["renders"],
  },
  memoryMegabytes: 1_024,
} as const satisfies Route;

/** GET /feed */
export const showOwnerFeedRoute = {
  id: "show-owner-feed",
  resource: "pages",
  method: "GET",
  path: "/feed",
  host: "owner",
  addition: "docs/adr/0063-atom-feed.md",
  summary: "An owner's public drops, last changed first, as an Atom feed",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "atom" },
  errors: ["not_found"],
  errorsAs: "page",
  grants: { table: { actions: ["GetItem", "Query"], items: ["NS", "USER"] } },
} as const satisfies Route;
