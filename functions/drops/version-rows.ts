import { apiRows, type Route } from "../http/route.ts";
import { compareVersionsQuery, pageVersionQuery, readDropQuery, readHtmlQuery } from "./queries.ts";
import {
  dropResponse,
  publicationAdditions,
  restoreVersionBody,
  versionListAdditions,
  versionListResponse,
  versionResponse,
} from "./schemas.ts";

const apiRow = /* @__PURE__ */ apiRows({
  resource: "versions",
  grants: { table: { actions: ["GetItem"], items: ["SLUG", "USER"] } },
});

export const listVersionsRoute = /* @__PURE__ */ apiRow("GET /api/drops/{slug}/versions", {
  id: "list-versions",
  summary: "A drop's versions",
  response: { status: 200, json: versionListResponse, additions: versionListAdditions },
  grants: { table: { actions: ["Query"] }, settings: ["keepVersions"] },
});

export const getVersionRoute = /* @__PURE__ */ apiRow("GET /api/drops/{slug}/v/{n}", {
  id: "get-version",
  summary: "A version's size and time",
  response: { status: 200, json: versionResponse },
  grants: { settings: ["keepVersions"] },
});

export const deleteVersionRoute = /* @__PURE__ */ apiRow("DELETE /api/drops/{slug}/v/{n}", {
  id: "delete-version",
  summary: "Delete a version, never the only one",
  response: { status: 204 },
  errors: ["last_version_cannot_be_deleted"],
  grants: { table: { actions: ["ConditionCheckItem", "DeleteItem", "Query"] }, audit: true },
});

// These operations are additions to the specification. They let an agent read a published page and continue to work on it.

export const readHtmlRoute = /* @__PURE__ */ apiRow("GET /api/drops/{slug}/html", {
  id: "read-html",
  addition: "docs/adr/0046-versions.md",
  summary: "A page as it was published",
  query: readHtmlQuery,
  response: { status: 200, content: "html" },
  // Memory for a response of up to 2 MiB.
  memoryMegabytes: 1_024,
  grants: { pages: ["GetObject"], settings: ["keepVersions"] },
});

/** Definition of the tool `read_drop`, which returns a slice that fits into a model's context window. Programs read byte ranges instead. */
export const readDropRow = {
  ...readHtmlRoute,
  query: readDropQuery,
} as const satisfies Route;

/** Definition of the tool `page_html`, which returns the whole page to the embedded page in the chat. */
export const pageHtmlRow = {
  ...readHtmlRoute,
  query: pageVersionQuery,
} as const satisfies Route;

export const readSourceRoute = /* @__PURE__ */ apiRow("GET /api/drops/{slug}/source", {
  id: "read-source",
  addition: "docs/adr/0050-publication-bodies.md",
  summary: "The Markdown source of a page",
  query: readHtmlQuery,
  response: { status: 200, content: "markdown" },
  grants: { pages: ["GetObject"], settings: ["keepVersions"] },
});

export const compareVersionsRoute = /* @__PURE__ */ apiRow("GET /api/drops/{slug}/diff", {
  id: "compare-versions",
  addition: "docs/adr/0046-versions.md",
  summary: "Diff of two versions",
  query: compareVersionsQuery,
  response: { status: 200, content: "text" },
  // Memory for a full vCPU, to compare thousands of lines.
  memoryMegabytes: 1_769,
  grants: { table: { actions: ["Query"] }, pages: ["GetObject"] },
});

export const restoreVersionRoute = /* @__PURE__ */ apiRow("POST /api/drops/{slug}/restore", {
  id: "restore-version",
  scope: "publish",
  addition: "docs/adr/0046-versions.md",
  summary: "Publish an earlier version again",
  headers: ["If-Match"],
  body: {
    json: restoreVersionBody,
    required: true,
    ifEmpty: {
      http: "To bring a drop back from the trash, send POST /api/drops/{slug}/undelete.",
      tool: "To bring a drop back from the trash, call undelete_drop.",
    },
  },
  response: { status: 200, json: dropResponse, additions: publicationAdditions },
  errors: ["secrets_found", "version_limit_reached", "quota_exceeded"],
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["ConditionCheckItem", "PutItem", "Query"] },
    audit: true,
    pages: ["GetObject", "PutObject"],
    settings: ["answers", "keepVersions", "pageBytesMax", "secretScan"],
  },
});
