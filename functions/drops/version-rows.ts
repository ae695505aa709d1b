import { joinHints } from "../http/hints.ts";
import { refusedOfComparison, refusedOfHtml, refusedOfPart } from "../http/parameter-hints.ts";
import { errorCodes, type Route, writeErrors } from "../http/route.ts";
import { compareVersionsQuery, readDropQuery, readHtmlQuery } from "./queries.ts";
import {
  dropResponse,
  publicationAdditions,
  restoreVersionBody,
  versionListAdditions,
  versionListResponse,
  versionResponse,
} from "./schemas.ts";

/** GET /api/drops/{slug}/versions */
export const listVersionsRoute = {
  id: "list-versions",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/versions",
  host: "base",
  summary: "A drop's versions",
  caller: "token",
  countsAsWrite: false,
  response: { status: 200, json: versionListResponse, additions: versionListAdditions },
  errors: ["unauthorized", "invalid_slug", "not_found"],
  errorsAs: "json",
  grants: {
    table: { actions: ["GetItem", "Query", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    settings: ["keepVersions"],
  },
} as const satisfies Route;

/** GET /api/drops/{slug}/v/{n} */
export const getVersionRoute = {
  id: "get-version",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/v/{n}",
  host: "base",
  summary: "A version's size and time",
  caller: "token",
  countsAsWrite: false,
  response: { status: 200, json: versionResponse },
  errors: ["unauthorized", "invalid_slug", "not_found"],
  errorsAs: "json",
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    settings: ["keepVersions"],
  },
} as const satisfies Route;

/** DELETE /api/drops/{slug}/v/{n} */
export const deleteVersionRoute = {
  id: "delete-version",
  resource: "versions",
  method: "DELETE",
  path: "/api/drops/{slug}/v/{n}",
  host: "base",
  summary: "Delete a version, never the last one",
  caller: "token",
  countsAsWrite: true,
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    "not_found",
    "last_version_cannot_be_deleted",
    writeErrors,
  ),
  errorsAs: "json",
  grants: {
    table: {
      actions: ["ConditionCheckItem", "DeleteItem", "GetItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
  },
} as const satisfies Route;

// Additions to the specification: what an owner's agent needs to go on with a page that it has not at hand.

/** GET /api/drops/{slug}/html */
export const readHtmlRoute = {
  id: "read-html",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/html",
  host: "base",
  addition: "docs/adr/0046-source-restore-and-diff.md",
  summary: "A page as it was published",
  caller: "token",
  countsAsWrite: false,
  query: readHtmlQuery,
  refusedParameters: refusedOfHtml,
  response: { status: 200, content: "html" },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  errorsAs: "json",
  // Up to 2 MiB to pass on.
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    pages: ["GetObject"],
    settings: ["keepVersions"],
  },
} as const satisfies Route;

/** The tool `read_drop`: a part of a text is what a conversation can hold, while a program takes ranges of bytes. */
export const readDropRow = {
  ...readHtmlRoute,
  query: readDropQuery,
  refusedParameters: /* @__PURE__ */ joinHints(refusedOfHtml, refusedOfPart),
} as const satisfies Route;

/** GET /api/drops/{slug}/source */
export const readSourceRoute = {
  id: "read-source",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/source",
  host: "base",
  addition: "docs/adr/0054-markdown.md",
  summary: "The Markdown that a page was made of",
  caller: "token",
  countsAsWrite: false,
  query: readHtmlQuery,
  refusedParameters: refusedOfHtml,
  response: { status: 200, content: "markdown" },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  errorsAs: "json",
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    pages: ["GetObject"],
    settings: ["keepVersions"],
  },
} as const satisfies Route;

/** GET /api/drops/{slug}/diff */
export const compareVersionsRoute = {
  id: "compare-versions",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/diff",
  host: "base",
  addition: "docs/adr/0046-source-restore-and-diff.md",
  summary: "Unified diff of two versions",
  caller: "token",
  countsAsWrite: false,
  query: compareVersionsQuery,
  refusedParameters: refusedOfComparison,
  response: { status: 200, content: "text" },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  errorsAs: "json",
  // A whole processor for comparing thousands of lines.
  memoryMegabytes: 1_769,
  grants: {
    table: { actions: ["GetItem", "Query", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    pages: ["GetObject"],
  },
} as const satisfies Route;

/** POST /api/drops/{slug}/restore */
export const restoreVersionRoute = {
  id: "restore-version",
  resource: "versions",
  method: "POST",
  path: "/api/drops/{slug}/restore",
  host: "base",
  addition: "docs/adr/0046-source-restore-and-diff.md",
  summary: "Publish an old version anew",
  caller: "token",
  countsAsWrite: true,
  headers: ["If-Match"],
  body: { json: restoreVersionBody, required: true },
  response: { status: 200, json: dropResponse, additions: publicationAdditions },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    "invalid_json",
    "invalid_arg",
    "not_found",
    "secrets_found",
    "version_limit_reached",
    "quota_exceeded",
    writeErrors,
  ),
  errorsAs: "json",
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["ConditionCheckItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
    pages: ["GetObject", "PutObject"],
    settings: ["keepVersions", "pageBytesMax", "secretScan"],
  },
} as const satisfies Route;
