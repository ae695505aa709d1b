import { apiRow, pageRows, readerGrants } from "../http/route.ts";
import {
  dropStateResponse,
  oembedQuery,
  oembedResponse,
  pinnedVersionQuery,
  rawPageQuery,
  stateQuery,
} from "./schemas.ts";

const pageRow = /* @__PURE__ */ pageRows({ resource: "pages", host: "any", grants: readerGrants });

export const viewDropRoute = /* @__PURE__ */ pageRow("GET /p/{slug}", {
  id: "view-drop",
  alsoAt: { path: "/d/{slug}", host: "any" },
  hasPathsBelow: true,
  summary: "The viewer: title, version picker and the page in a sandboxed frame",
  query: pinnedVersionQuery,
  response: { status: 200, content: "html" },
  // Memory for more CPU, because a reader waits for the response.
  memoryMegabytes: 1_024,
  grants: {
    queues: ["views"],
    table: { actions: ["Query"] },
    settings: ["accessRequests", "answers", "embedding", "readTrail", "renders"],
    // Needed to read the paths of a folder and the title of a page.
    folders: ["GetObject"],
  },
});

export const readRawPageRoute = /* @__PURE__ */ pageRow("GET /p/{slug}/raw", {
  id: "read-raw-page",
  summary: "The published page itself, or a picture of it",
  query: rawPageQuery,
  response: { status: 200, content: "html", alsoAs: "picture" },
  memoryMegabytes: 1_024,
  grants: {
    settings: ["accessRequests", "answers", "embedding"],
    readTrail: "PutItem",
    // This bucket also stores preview pictures and thumbnails.
    pages: ["GetObject"],
    // Needed because the first download of a folder creates its archive.
    archives: ["PutObject"],
  },
});

export const readFolderFileRoute = /* @__PURE__ */ pageRow("GET /p/{slug}/raw/{path+}", {
  id: "read-folder-file",
  addition: "docs/adr/0103-folders.md",
  summary: "A file of a folder, by its path",
  response: { status: 200, content: "bytes", alsoStatus: 302 },
  memoryMegabytes: 1_024,
  grants: {
    settings: ["accessRequests", "answers", "embedding"],
    readTrail: "PutItem",
    folderKeys: true,
    pages: ["GetObject"],
  },
});

export const readPdfRoute = /* @__PURE__ */ pageRow("GET /p/{slug}/pdf", {
  id: "read-pdf",
  addition: "docs/adr/0066-rendered-pictures.md",
  summary: "The page as a PDF",
  query: pinnedVersionQuery,
  response: { status: 200, content: "pdf", alsoStatus: 202 },
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["ConditionCheckItem", "UpdateItem"] },
    settings: ["renders"],
    readTrail: "PutItem",
    reports: ["GetObject"],
  },
});

export const readContextRoute = /* @__PURE__ */ pageRow("GET /p/{slug}/context", {
  id: "read-context",
  addition: '"The viewer offers a context toggle"',
  summary: "The context stored with a version",
  query: pinnedVersionQuery,
  response: { status: 200, content: "text" },
  errors: ["forbidden"],
  errorsAs: "negotiated",
  grants: { readTrail: "PutItem", pages: ["GetObject"] },
});

export const readDropStateRoute = /* @__PURE__ */ pageRow("GET /p/{slug}/state", {
  id: "read-drop-state",
  addition: "docs/adr/0058-viewer-polling.md",
  summary: "The state of a drop for its open viewer: its latest version, or that it is locked or gone",
  query: stateQuery,
  response: { status: 200, json: dropStateResponse },
  errorsAs: "negotiated",
});

export const readOembedRoute = /* @__PURE__ */ apiRow("GET /oembed", {
  id: "read-oembed",
  resource: "pages",
  addition: "docs/adr/0066-rendered-pictures.md",
  summary: "The preview of a link to a drop, by oEmbed 1.0",
  caller: "anyone",
  query: oembedQuery,
  response: { status: 200, json: oembedResponse, alsoAs: "xml" },
  errors: ["unauthorized", "not_found", "format_not_supported"],
  grants: { table: { actions: ["GetItem"], items: ["SLUG", "USER"] }, settings: ["embedding"] },
});
