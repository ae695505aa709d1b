import { apiRoute, errorCodes, writeErrors } from "../http/route.ts";
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

// Additions to the specification: uploads of only a folder's changed files, docs/adr/0103-folders.md.

/** GET /api/drops/{slug}/files */
export const listFilesRoute = /* @__PURE__ */ apiRoute({
  id: "list-files",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/files",
  addition: "docs/adr/0103-folders.md",
  summary: "A folder's files",
  query: listFilesQuery,
  response: { status: 200, json: fileListResponse },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  // An archive of up to 25 MiB.
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    pages: ["GetObject"],
    archives: ["PutObject"],
    settings: ["keepVersions"],
  },
});

/** POST /api/drops/{slug}/files */
export const startFolderRoute = /* @__PURE__ */ apiRoute({
  id: "start-folder",
  resource: "versions",
  method: "POST",
  path: "/api/drops/{slug}/files",
  scope: "publish",
  addition: "docs/adr/0103-folders.md",
  summary: "Start a folder's version",
  isForWorkflows: true,
  body: { json: startFolderBody, required: true },
  response: { status: 201, json: folderStartResponse },
  errors: /* @__PURE__ */ errorCodes("unauthorized", "invalid_slug", dropErrors, "not_found", writeErrors),
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["GetItem", "Query", "UpdateItem"], items: ["SLUG", "TOKEN", "USER"] },
    pages: ["GetObject", "PutObject"],
  },
});

/** POST /api/drops/{slug}/files/{publication} */
export const publishFolderRoute = /* @__PURE__ */ apiRoute({
  id: "publish-folder",
  resource: "versions",
  method: "POST",
  path: "/api/drops/{slug}/files/{publication}",
  scope: "publish",
  addition: "docs/adr/0103-folders.md",
  summary: "Publish a started folder",
  isForWorkflows: true,
  headers: ["Idempotency-Key", "If-Match"],
  body: { json: publishFolderBody, required: false },
  response: { status: 200, json: dropResponse, additions: publicationAdditions },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    dropErrors,
    "html_too_large",
    "context_too_large",
    "secrets_found",
    "not_found",
    writeErrors,
    "quota_exceeded",
    "version_limit_reached",
  ),
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG", "GROUP"],
    },
    audit: true,
    pages: ["GetObject", "PutObject"],
    settings: ["answers", "expiry", "pageBytesMax", "secretScan", "visibility"],
  },
});
