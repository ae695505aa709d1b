import { pageVersionQuery } from "../drops/queries.ts";
import { apiRoute, type Route } from "../http/route.ts";
import { getRenderQuery, renderResponse, seeDropQuery } from "./schemas.ts";

/** GET /api/drops/{slug}/render */
export const getRenderRoute = /* @__PURE__ */ apiRoute({
  id: "get-render",
  resource: "renders",
  method: "GET",
  path: "/api/drops/{slug}/render",
  addition: "docs/adr/0066-rendered-pictures.md",
  summary: "A page's pictures and problems",
  query: getRenderQuery,
  response: { status: 200, alsoStatus: 202, json: renderResponse },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  grants: {
    table: {
      actions: ["ConditionCheckItem", "GetItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    cards: ["GetObject"],
    reports: ["GetObject"],
    settings: ["keepVersions", "renders"],
  },
});

/** GET /api/drops/{slug}/pdf */
export const getPdfRoute = /* @__PURE__ */ apiRoute({
  id: "get-pdf",
  resource: "renders",
  method: "GET",
  path: "/api/drops/{slug}/pdf",
  addition: "docs/adr/0066-rendered-pictures.md",
  summary: "A page as a PDF",
  query: getRenderQuery,
  response: { status: 200, content: "pdf", alsoStatus: 202, pendingJson: renderResponse },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  // A response of up to 4 MB.
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["ConditionCheckItem", "GetItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    reports: ["GetObject"],
    settings: ["keepVersions", "renders"],
  },
});

/** The tool `see_drop`. It returns pictures, since models can view them and programs can fetch them. */
export const seeDropRow = {
  ...getRenderRoute,
  query: seeDropQuery,
} as const satisfies Route;

/** The tool `page_picture`, which returns the card to the page in the chat. */
export const pagePictureRow = {
  ...getRenderRoute,
  query: pageVersionQuery,
} as const satisfies Route;
