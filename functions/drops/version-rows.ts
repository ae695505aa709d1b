import { apiRoute, errorCodes, type Route, writeErrors } from "../http/route.ts";
import { compareVersionsQuery, pageVersionQuery, readDropQuery, readHtmlQuery } from "./queries.ts";
import {
  dropResponse,
  publicationAdditions,
  restoreVersionBody,
  versionListAdditions,
  versionListResponse,
  versionResponse,
} from "./schemas.ts";

/** GET /api/drops/{slug}/versions */
export const listVersionsRoute = /* @__PURE__ */ apiRoute({
  id: "list-versions",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/versions",
  summary: "A drop's versions",
  response: { status: 200, json: versionListResponse, additions: versionListAdditions },
  errors: ["unauthorized", "invalid_slug", "not_found"],
  grants: {
    table: { actions: ["GetItem", "Query", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    settings: ["keepVersions"],
  },
});

/** GET /api/drops/{slug}/v/{n} */
export const getVersionRoute = /* @__PURE__ */ apiRoute({
  id: "get-version",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/v/{n}",
  summary: "A version's size and time",
  response: { status: 200, json: versionResponse },
  errors: ["unauthorized", "invalid_slug", "not_found"],
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    settings: ["keepVersions"],
  },
});

/** DELETE /api/drops/{slug}/v/{n} */
export const deleteVersionRoute = /* @__PURE__ */ apiRoute({
  id: "delete-version",
  resource: "versions",
  method: "DELETE",
  path: "/api/drops/{slug}/v/{n}",
  summary: "Delete a version, never the last one",
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    "not_found",
    "last_version_cannot_be_deleted",
    writeErrors,
  ),
  grants: {
    table: {
      actions: ["ConditionCheckItem", "DeleteItem", "GetItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
  },
});

// Additions to the specification: reading a published page, for an agent that continues to work on it.

/** GET /api/drops/{slug}/html */
export const readHtmlRoute = /* @__PURE__ */ apiRoute({
  id: "read-html",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/html",
  addition: "docs/adr/0046-versions.md",
  summary: "A page as it was published",
  query: readHtmlQuery,
  response: { status: 200, content: "html" },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  // A response of up to 2 MiB.
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    pages: ["GetObject"],
    settings: ["keepVersions"],
  },
});

/** Row of the tool `read_drop`, which returns a part of the text that a conversation can hold. Programs read ranges of bytes. */
export const readDropRow = {
  ...readHtmlRoute,
  query: readDropQuery,
} as const satisfies Route;

/** Row of the tool `page_html`, which returns the whole page to the page in the chat. */
export const pageHtmlRow = {
  ...readHtmlRoute,
  query: pageVersionQuery,
} as const satisfies Route;

/** GET /api/drops/{slug}/source */
export const readSourceRoute = /* @__PURE__ */ apiRoute({
  id: "read-source",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/source",
  addition: "docs/adr/0050-publication-bodies.md",
  summary: "The Markdown source of a page",
  query: readHtmlQuery,
  response: { status: 200, content: "markdown" },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    pages: ["GetObject"],
    settings: ["keepVersions"],
  },
});

/** GET /api/drops/{slug}/diff */
export const compareVersionsRoute = /* @__PURE__ */ apiRoute({
  id: "compare-versions",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/diff",
  addition: "docs/adr/0046-versions.md",
  summary: "Diff of two versions",
  query: compareVersionsQuery,
  response: { status: 200, content: "text" },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  // A whole processor for comparing thousands of lines.
  memoryMegabytes: 1_769,
  grants: {
    table: { actions: ["GetItem", "Query", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    pages: ["GetObject"],
  },
});

/** POST /api/drops/{slug}/restore */
export const restoreVersionRoute = /* @__PURE__ */ apiRoute({
  id: "restore-version",
  resource: "versions",
  method: "POST",
  path: "/api/drops/{slug}/restore",
  scope: "publish",
  addition: "docs/adr/0046-versions.md",
  summary: "Publish an earlier version again",
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
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["ConditionCheckItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
    pages: ["GetObject", "PutObject"],
    settings: ["answers", "keepVersions", "pageBytesMax", "secretScan"],
  },
});
