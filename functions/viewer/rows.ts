import type { Route } from "../http/route.ts";
import { oembedQuery, pinnedVersionQuery, rawPageQuery, stateQuery } from "./queries.ts";
import { dropStateResponse, oembedResponse } from "./schemas.ts";

/** GET /p/{slug} */
export const viewDropRoute = {
  id: "view-drop",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}",
  host: "any",
  alsoAt: { path: "/d/{slug}", host: "any" },
  hasPathsBelow: true,
  summary: "The viewer: title, version picker and the page in a sandboxed frame",
  caller: "anyone",
  countsAsWrite: false,
  query: pinnedVersionQuery,
  response: { status: 200, content: "html" },
  errors: ["not_found"],
  errorsAs: "page",
  // A reader waits for it, and for the next.
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["cookieKey"],
    queues: ["views"],
    table: {
      actions: ["BatchGetItem", "GetItem", "Query"],
      items: ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    settings: ["members", "readTrail"],
    // The paths of a folder, and the title of a page.
    folders: ["GetObject"],
  },
} as const satisfies Route;

/** GET /p/{slug}/raw */
export const readRawPageRoute = {
  id: "read-raw-page",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/raw",
  host: "any",
  summary: "The published page itself, or a picture of it",
  caller: "anyone",
  countsAsWrite: false,
  query: rawPageQuery,
  response: { status: 200, content: "html", alsoAs: "picture" },
  errors: ["not_found"],
  errorsAs: "page",
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: ["BatchGetItem", "GetItem"],
      items: ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    settings: ["members"],
    readTrail: "PutItem",
    // Cards and thumbnails lie there, too.
    pages: ["GetObject"],
    // The archive of a folder, at its first download.
    archives: ["PutObject"],
  },
} as const satisfies Route;

/** GET /p/{slug}/raw/{path+} */
export const readFolderFileRoute = {
  id: "read-folder-file",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/raw/{path+}",
  host: "any",
  addition: "docs/adr/0103-folders.md",
  summary: "A file of a folder, by its path",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "bytes", alsoStatus: 302 },
  errors: ["not_found"],
  errorsAs: "page",
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: ["BatchGetItem", "GetItem"],
      items: ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    settings: ["members"],
    readTrail: "PutItem",
    folderKeys: true,
    pages: ["GetObject"],
  },
} as const satisfies Route;

/** GET /p/{slug}/context */
export const readContextRoute = {
  id: "read-context",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/context",
  host: "any",
  addition: '"The viewer offers a context toggle"',
  summary: "The context stored with a version",
  caller: "anyone",
  countsAsWrite: false,
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
} as const satisfies Route;

/** GET /p/{slug}/state */
export const readDropStateRoute = {
  id: "read-drop-state",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/state",
  host: "any",
  addition: "docs/adr/0058-viewer-polling.md",
  summary:
    "What has become of a drop since its viewer was opened: its latest version, or that it is locked or gone",
  caller: "anyone",
  countsAsWrite: false,
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
} as const satisfies Route;

/** GET /oembed */
export const readOembedRoute = {
  id: "read-oembed",
  resource: "pages",
  method: "GET",
  path: "/oembed",
  host: "base",
  addition: "docs/adr/0066-cards-and-thumbnails.md",
  summary: "What a link to a drop may show, by oEmbed 1.0",
  caller: "anyone",
  countsAsWrite: false,
  query: oembedQuery,
  response: { status: 200, json: oembedResponse, alsoAs: "xml" },
  errors: ["unauthorized", "invalid_arg", "not_found", "format_not_supported"],
  errorsAs: "json",
  grants: { table: { actions: ["GetItem"], items: ["SLUG", "USER"] } },
} as const satisfies Route;
