import { pageRoute } from "../http/route.ts";
import { ownerPageQuery } from "./queries.ts";

/** GET /owner */
export const showOwnerPageRoute = /* @__PURE__ */ pageRoute({
  id: "show-owner-page",
  resource: "pages",
  method: "GET",
  path: "/owner",
  host: "owner",
  addition: '"Each owner has a public page"',
  summary: "An owner's public page: drops and files",
  query: ownerPageQuery,
  response: { status: 200, content: "html" },
  errors: ["not_found"],
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: ["NS", "SLUG", "USER"] },
    settings: ["renders"],
  },
  memoryMegabytes: 1_024,
});

/** GET /feed */
export const showOwnerFeedRoute = /* @__PURE__ */ pageRoute({
  id: "show-owner-feed",
  resource: "pages",
  method: "GET",
  path: "/feed",
  host: "owner",
  addition: "docs/adr/0063-atom-feed.md",
  summary: "An owner's public drops, last changed first, as an Atom feed",
  response: { status: 200, content: "atom" },
  errors: ["not_found"],
  grants: { table: { actions: ["GetItem", "Query"], items: ["NS", "USER"] } },
});
