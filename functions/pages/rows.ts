import type { Route } from "../platform/route.ts";
import {
  comparisonQuery,
  gateQuery,
  oembedQuery,
  pinnedVersionQuery,
  rawPageQuery,
  stateQuery,
} from "./queries.ts";
import { dropStateResponse, oembedResponse } from "./schemas.ts";

/** GET /p/{slug} */
export const viewDropRoute = {
  id: "view-drop",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}",
  host: "any",
  alsoAt: { path: "/d/{slug}", host: "any" },
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
      items: ["IDP", "MEMBER", "READER", "SLUG", "USER"],
    },
    settings: ["members"],
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
    table: { actions: ["BatchGetItem", "GetItem"], items: ["IDP", "MEMBER", "READER", "SLUG", "USER"] },
    settings: ["members"],
    // Cards and thumbnails lie there, too.
    pages: ["GetObject"],
  },
} as const satisfies Route;

/** GET /p/{slug}/compare */
export const showComparisonRoute = {
  id: "show-comparison",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/compare",
  host: "any",
  addition: "docs/adr/0059-versions-side-by-side.md",
  summary: "Two versions of a page compared, as texts or side by side, for whoever may read it",
  caller: "anyone",
  countsAsWrite: false,
  query: comparisonQuery,
  response: { status: 200, content: "html" },
  errors: ["not_found"],
  errorsAs: "page",
  // A whole processor for comparing thousands of lines.
  memoryMegabytes: 1_769,
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: ["BatchGetItem", "GetItem", "Query"],
      items: ["IDP", "MEMBER", "READER", "SLUG", "USER"],
    },
    settings: ["members"],
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
    table: { actions: ["BatchGetItem", "GetItem"], items: ["IDP", "MEMBER", "READER", "SLUG", "USER"] },
    settings: ["members"],
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
  addition: "docs/adr/0058-an-open-tab-asks-for-news.md",
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
    table: { actions: ["BatchGetItem", "GetItem"], items: ["IDP", "MEMBER", "READER", "SLUG", "USER"] },
    settings: ["members"],
  },
} as const satisfies Route;

/** POST /p/{slug}/unlock */
export const unlockDropRoute = {
  id: "unlock-drop",
  resource: "pages",
  method: "POST",
  path: "/p/{slug}/unlock",
  host: "base",
  addition: '"correct passcode entered at the viewer"',
  summary: "The gate's form: a right passcode sets a cookie for seven days",
  caller: "anyone",
  countsAsWrite: false,
  query: gateQuery,
  body: "form",
  response: { status: 303 },
  errors: ["forbidden", "not_found", "rate_limited"],
  errorsAs: "page",
  // A whole processor for the hash of a passcode: it takes as many gigabyte-seconds in a third of the time.
  memoryMegabytes: 1_769,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "UpdateItem"],
      items: ["IDP", "LIMIT", "MEMBER", "READER", "SLUG", "USER"],
    },
    secrets: ["cookieKey", "newCookieKey"],
    settings: ["members"],
  },
} as const satisfies Route;

/** GET /p/{slug}/unlock */
export const returnToGateRoute = {
  id: "return-to-gate",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/unlock",
  host: "base",
  addition: "docs/adr/0060-what-comes-with-an-address-reaches-the-page.md",
  summary: "The address of the gate's form, opened in a window: leads to where the gate stands",
  caller: "anyone",
  countsAsWrite: false,
  query: gateQuery,
  response: { status: 302 },
  errors: ["not_found"],
  errorsAs: "page",
  grants: {},
} as const satisfies Route;

/** POST /p/{slug}/lock */
export const closeGateRoute = {
  id: "close-gate",
  resource: "pages",
  method: "POST",
  path: "/p/{slug}/lock",
  host: "base",
  addition: "docs/adr/0064-whose-wrong-passcodes-shut-a-gate.md",
  summary: "Locks a drop again in this browser: ends the cookie of its gate",
  caller: "anyone",
  countsAsWrite: false,
  query: gateQuery,
  response: { status: 303 },
  errors: ["forbidden", "not_found"],
  errorsAs: "page",
  grants: {},
} as const satisfies Route;

/** GET /b/{id}/{key} */
export const showEmbeddedFileRoute = {
  id: "show-embedded-file",
  resource: "pages",
  method: "GET",
  path: "/b/{id}/{key}",
  host: "owner",
  addition: "docs/adr/0051-files-for-some-readers.md",
  summary:
    "A file for some readers in a page that one of them reads: leads to its bytes, or to the file's own address",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 302 },
  errors: ["not_found"],
  errorsAs: "page",
  grants: {
    table: { actions: ["BatchGetItem", "GetItem"], items: ["IDP", "MEMBER", "NS", "READER", "SLUG", "USER"] },
    restrictedFiles: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["members"],
  },
} as const satisfies Route;

/** GET / */
export const showHomePageRoute = {
  id: "show-home-page",
  resource: "pages",
  method: "GET",
  path: "/",
  host: "base",
  addition: "what `{base_url}` itself says",
  summary: "What this is, for people and for agents",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "html", alsoAs: "markdown" },
  errors: [],
  errorsAs: "page",
  grants: {},
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

/** GET /{proxy+} */
export const answerNotFoundRoute = {
  id: "answer-not-found",
  resource: "pages",
  method: "GET",
  path: "/{proxy+}",
  host: "any",
  addition: "what answers every other address",
  summary: "Every other address: the styled 404 page, or JSON under /api",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "html", alsoStatus: 303 },
  errors: ["not_found", "method_not_allowed"],
  errorsAs: "negotiated",
  grants: {},
} as const satisfies Route;
