import * as z from "zod/mini";
import { integer } from "../http/query.ts";
import { pageRoute } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

/** `?page=N` of an owner's page. Invalid numbers become 0, so that people see the 404 page. */
const ownerPageQuery = /* @__PURE__ */ schema(() =>
  z.object({ page: z._default(z.catch(integer({ minimum: 1 }), 0), 1) }),
);

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
  addition: "docs/adr/0028-owner-pages.md",
  summary: "An owner's public drops, last changed first, as an Atom feed",
  response: { status: 200, content: "atom" },
  errors: ["not_found"],
  grants: { table: { actions: ["GetItem", "Query"], items: ["NS", "USER"] } },
});
