import * as z from "zod/mini";
import { integer } from "../http/query.ts";
import { pageRows } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

/** Query parameters of an owner's page: `?page=N`. Invalid numbers become 0, which has the 404 page. */
const ownerPageQuery = /* @__PURE__ */ schema(() =>
  z.object({ page: z._default(z.catch(integer({ minimum: 1 }), 0), 1) }),
);

const pageRow = /* @__PURE__ */ pageRows({ resource: "pages" });

export const showOwnerPageRoute = /* @__PURE__ */ pageRow("GET /owner", {
  id: "show-owner-page",
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

export const showOwnerFeedRoute = /* @__PURE__ */ pageRow("GET /feed", {
  id: "show-owner-feed",
  host: "owner",
  addition: "docs/adr/0028-owner-pages.md",
  summary: "An owner's public drops, last changed first, as an Atom feed",
  response: { status: 200, content: "atom" },
  errors: ["not_found"],
  grants: { table: { actions: ["GetItem", "Query"], items: ["NS", "USER"] } },
});
