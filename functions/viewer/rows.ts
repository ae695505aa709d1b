import { apiRoute, pageRoute } from "../http/route.ts";
import { oembedQuery, pinnedVersionQuery, rawPageQuery, stateQuery } from "./queries.ts";
import { dropStateResponse, oembedResponse } from "./schemas.ts";

/** GET /p/{slug} */
export const viewDropRoute = /* @__PURE__ */ pageRoute({
  id: "view-drop",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}",
  host: "any",
  alsoAt: { path: "/d/{slug}", host: "any" },
  hasPathsBelow: true,
  summary: "The viewer: title, version picker and the page in a sandboxed frame",
  query: pinnedVersionQuery,
  response: { status: 200, content: "html" },
  errors: ["not_found"],
  // A reader waits for the response.
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["cookieKey"],
    queues: ["views"],
    table: {
      actions: ["BatchGetItem", "GetItem", "Query"],
      items: ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    settings: ["accessRequests", "answers", "embedding", "members", "readTrail", "renders"],
    // Reads the paths of a folder, and the title of a page.
    folders: ["GetObject"],
  },
});

/** GET /p/{slug}/raw */
export const readRawPageRoute = /* @__PURE__ */ pageRoute({
  id: "read-raw-page",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/raw",
  host: "any",
  summary: "The published page itself, or a picture of it",
  query: rawPageQuery,
  response: { status: 200, content: "html", alsoAs: "picture" },
  errors: ["not_found"],
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: ["BatchGetItem", "GetItem"],
      items: ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    settings: ["accessRequests", "answers", "embedding", "members"],
    readTrail: "PutItem",
    // Cards and thumbnails are stored there, too.
    pages: ["GetObject"],
    // The archive of a folder, at its first download.
    archives: ["PutObject"],
  },
});

/** GET /p/{slug}/raw/{path+} */
export const readFolderFileRoute = /* @__PURE__ */ pageRoute({
  id: "read-folder-file",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/raw/{path+}",
  host: "any",
  addition: "docs/adr/0103-folders.md",
  summary: "A file of a folder, by its path",
  response: { status: 200, content: "bytes", alsoStatus: 302 },
  errors: ["not_found"],
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: ["BatchGetItem", "GetItem"],
      items: ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    settings: ["accessRequests", "answers", "embedding", "members"],
    readTrail: "PutItem",
    folderKeys: true,
    pages: ["GetObject"],
  },
});

/** GET /p/{slug}/pdf */
export const readPdfRoute = /* @__PURE__ */ pageRoute({
  id: "read-pdf",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/pdf",
  host: "any",
  addition: "docs/adr/0066-rendered-pictures.md",
  summary: "The page as a PDF",
  query: pinnedVersionQuery,
  response: { status: 200, content: "pdf", alsoStatus: 202 },
  errors: ["not_found"],
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: ["BatchGetItem", "ConditionCheckItem", "GetItem", "UpdateItem"],
      items: ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    settings: ["members", "renders"],
    readTrail: "PutItem",
    reports: ["GetObject"],
  },
});

/** GET /p/{slug}/context */
export const readContextRoute = /* @__PURE__ */ pageRoute({
  id: "read-context",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/context",
  host: "any",
  addition: '"The viewer offers a context toggle"',
  summary: "The context stored with a version",
  query: pinnedVersionQuery,
  response: { status: 200, content: "text" },
  errors: ["forbidden", "not_found"],
  errorsAs: "negotiated",
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: ["BatchGetItem", "GetItem"],
      items: ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    settings: ["members"],
    readTrail: "PutItem",
    pages: ["GetObject"],
  },
});

/** GET /p/{slug}/state */
export const readDropStateRoute = /* @__PURE__ */ pageRoute({
  id: "read-drop-state",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/state",
  host: "any",
  addition: "docs/adr/0058-viewer-polling.md",
  summary: "The state of a drop for its open viewer: its latest version, or that it is locked or gone",
  query: stateQuery,
  response: { status: 200, json: dropStateResponse },
  errors: ["not_found"],
  errorsAs: "negotiated",
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: ["BatchGetItem", "GetItem"],
      items: ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    settings: ["members"],
  },
});

/** GET /oembed */
export const readOembedRoute = /* @__PURE__ */ apiRoute({
  id: "read-oembed",
  resource: "pages",
  method: "GET",
  path: "/oembed",
  addition: "docs/adr/0066-rendered-pictures.md",
  summary: "The preview of a link to a drop, by oEmbed 1.0",
  caller: "anyone",
  query: oembedQuery,
  response: { status: 200, json: oembedResponse, alsoAs: "xml" },
  errors: ["unauthorized", "invalid_arg", "not_found", "format_not_supported"],
  grants: { table: { actions: ["GetItem"], items: ["SLUG", "USER"] }, settings: ["embedding"] },
});
