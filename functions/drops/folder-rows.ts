import { apiRows } from "../http/route.ts";
import { listFilesQuery } from "./queries.ts";
import { dropErrors } from "./rows.ts";
import {
  dropResponse,
  fileListResponse,
  folderStartResponse,
  publicationAdditions,
  publishFolderBody,
  startFolderBody,
} from "./schemas.ts";

// These operations are additions to the specification. They let clients upload only a folder's changed files; see docs/adr/0103-folders.md.

const apiRow = /* @__PURE__ */ apiRows({
  resource: "versions",
  addition: "docs/adr/0103-folders.md",
  grants: { table: { actions: ["GetItem"], items: ["SLUG", "USER"] } },
});

export const listFilesRoute = /* @__PURE__ */ apiRow("GET /api/drops/{slug}/files", {
  id: "list-files",
  summary: "A folder's files",
  query: listFilesQuery,
  response: { status: 200, json: fileListResponse },
  // Memory for writing an archive of up to 25 MiB.
  memoryMegabytes: 1_024,
  grants: { pages: ["GetObject"], archives: ["PutObject"], settings: ["keepVersions"] },
});

export const startFolderRoute = /* @__PURE__ */ apiRow("POST /api/drops/{slug}/files", {
  id: "start-folder",
  scope: "publish",
  summary: "Start a folder's version",
  isForWorkflows: true,
  body: { json: startFolderBody, required: true },
  response: { status: 201, json: folderStartResponse },
  errors: [dropErrors],
  memoryMegabytes: 1_024,
  grants: { table: { actions: ["Query"] }, pages: ["GetObject", "PutObject"] },
});

export const publishFolderRoute = /* @__PURE__ */ apiRow("POST /api/drops/{slug}/files/{publication}", {
  id: "publish-folder",
  scope: "publish",
  summary: "Publish a started folder",
  isForWorkflows: true,
  headers: ["Idempotency-Key", "If-Match"],
  body: { json: publishFolderBody, required: false },
  response: { status: 200, json: dropResponse, additions: publicationAdditions },
  errors: [
    dropErrors,
    "html_too_large",
    "context_too_large",
    "secrets_found",
    "quota_exceeded",
    "version_limit_reached",
  ],
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["BatchGetItem", "ConditionCheckItem", "PutItem", "Query"], items: ["GROUP"] },
    audit: true,
    pages: ["GetObject", "PutObject"],
    settings: ["answers", "expiry", "pageBytesMax", "secretScan", "visibility"],
  },
});
