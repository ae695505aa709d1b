import { pageVersionQuery } from "../drops/queries.ts";
import { apiRows, type Route } from "../http/route.ts";
import { getRenderQuery, renderResponse, seeDropQuery } from "./schemas.ts";

const apiRow = /* @__PURE__ */ apiRows({
  resource: "renders",
  addition: "docs/adr/0066-rendered-pictures.md",
  grants: { table: { actions: ["ConditionCheckItem", "GetItem"], items: ["SLUG", "USER"] } },
});

export const getRenderRoute = /* @__PURE__ */ apiRow("GET /api/drops/{slug}/render", {
  id: "get-render",
  summary: "A page's pictures and problems",
  query: getRenderQuery,
  response: { status: 200, alsoStatus: 202, json: renderResponse },
  grants: { cards: ["GetObject"], reports: ["GetObject"], settings: ["keepVersions", "renders"] },
});

export const getPdfRoute = /* @__PURE__ */ apiRow("GET /api/drops/{slug}/pdf", {
  id: "get-pdf",
  summary: "A page as a PDF",
  query: getRenderQuery,
  response: { status: 200, content: "pdf", alsoStatus: 202, pendingJson: renderResponse },
  // Extra memory, because a response can have up to 4 MB.
  memoryMegabytes: 1_024,
  grants: { reports: ["GetObject"], settings: ["keepVersions", "renders"] },
});

/** Definition of the tool `see_drop`, which returns the pictures themselves, because models can view them. */
export const seeDropRow = {
  ...getRenderRoute,
  query: seeDropQuery,
} as const satisfies Route;

/** Definition of the tool `page_picture`, which returns the card to the page embedded in the chat. */
export const pagePictureRow = {
  ...getRenderRoute,
  query: pageVersionQuery,
} as const satisfies Route;
