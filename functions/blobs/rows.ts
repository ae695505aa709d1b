import { refusedOfFileEdit, refusedOfNewFile } from "../http/field-hints.ts";
import { explainFileParameter } from "../http/parameter-hints.ts";
import { errorCodes, type Route, writeErrors } from "../http/route.ts";
import { fileSecretsAddition } from "../secrets/schemas.ts";
import {
  blobAdditions,
  blobListResponse,
  blobResponse,
  completeUploadQuery,
  editBlobBody,
  listBlobsQuery,
  startUploadBody,
  uploadBlobQuery,
  uploadResponse,
} from "./schemas.ts";

/** Errors of a new file. */
const fileErrors = ["invalid_arg", "invalid_filename", "empty_blob", "blob_too_large"] as const;

/** GET /api/blobs */
export const listBlobsRoute = {
  id: "list-blobs",
  resource: "blobs",
  method: "GET",
  path: "/api/blobs",
  host: "base",
  addition: "Agents find the ids of files that they uploaded before.",
  summary: "The caller's files, newest first",
  caller: "token",
  countsAsWrite: false,
  query: listBlobsQuery,
  explainParameter: explainFileParameter,
  response: { status: 200, json: blobListResponse },
  errors: ["unauthorized", "invalid_arg"],
  errorsAs: "json",
  // Up to 10,000 files to go through.
  memoryMegabytes: 1_024,
  grants: { table: { actions: ["Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

/** POST /api/blobs */
export const uploadBlobRoute = {
  id: "upload-blob",
  resource: "blobs",
  method: "POST",
  path: "/api/blobs",
  host: "base",
  summary: "Upload a file",
  caller: "token",
  countsAsWrite: true,
  query: uploadBlobQuery,
  headers: ["Idempotency-Key"],
  body: "bytes",
  refusedParameters: refusedOfNewFile,
  response: { status: 201, json: blobResponse, additions: fileSecretsAddition },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    fileErrors,
    "secrets_found",
    writeErrors,
    "quota_exceeded",
  ),
  errorsAs: "json",
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "PutItem", "UpdateItem"],
      items: ["TOKEN", "USER", "GROUP"],
    },
    audit: true,
    blobs: ["DeleteObject", "PutObject"],
    settings: ["expiry", "secretScan", "visibility"],
  },
} as const satisfies Route;

/** DELETE /api/blobs/{id} */
export const deleteBlobRoute = {
  id: "delete-blob",
  resource: "blobs",
  method: "DELETE",
  path: "/api/blobs/{id}",
  host: "base",
  summary: "Delete a file",
  caller: "token",
  countsAsWrite: false,
  response: { status: 204 },
  errors: ["unauthorized", "invalid_id", "not_found"],
  errorsAs: "json",
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "UpdateItem"], items: ["TOKEN", "USER"] },
    audit: true,
  },
} as const satisfies Route;

/** PATCH /api/blobs/{id} */
export const editBlobRoute = {
  id: "edit-blob",
  resource: "blobs",
  method: "PATCH",
  path: "/api/blobs/{id}",
  host: "base",
  addition: "docs/adr/0051-file-visibility.md",
  summary: "Change who may read a file, and how long",
  caller: "token",
  countsAsWrite: true,
  body: { json: editBlobBody, required: false },
  refusedFields: refusedOfFileEdit,
  response: { status: 200, json: blobResponse },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_id",
    "invalid_json",
    "invalid_arg",
    "not_found",
    writeErrors,
  ),
  errorsAs: "json",
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "UpdateItem"], items: ["TOKEN", "USER", "GROUP"] },
    audit: true,
    settings: ["expiry", "visibility"],
  },
} as const satisfies Route;

/** GET /b/{id} */
export const serveBlobRoute = {
  id: "serve-blob",
  resource: "blobs",
  method: "GET",
  path: "/b/{id}",
  host: "owner",
  addition: '"Serving: `https://<namespace>.{base_domain}/b/<id>`"',
  summary: "A file's bytes: images, video and audio inline, everything else as a download",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "bytes" },
  errors: ["not_found"],
  errorsAs: "page",
  grants: {},
  servedBy: "bucket",
} as const satisfies Route;

// Additions to the specification: uploads in steps, for clients that rather send a file to Amazon S3 itself.

/** POST /api/blobs/uploads */
export const startUploadRoute = {
  id: "start-upload",
  resource: "blobs",
  method: "POST",
  path: "/api/blobs/uploads",
  host: "base",
  addition: "docs/adr/0009-presigned-uploads.md",
  summary: "Start a large upload",
  caller: "token",
  countsAsWrite: true,
  headers: ["Idempotency-Key"],
  body: { json: startUploadBody, required: true },
  refusedFields: refusedOfNewFile,
  response: { status: 201, json: uploadResponse },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_json",
    fileErrors,
    writeErrors,
    "quota_exceeded",
  ),
  errorsAs: "json",
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "PutItem", "UpdateItem"],
      items: ["TOKEN", "USER", "GROUP"],
    },
    audit: true,
    stagedFiles: ["PutObject"],
    settings: ["expiry", "visibility"],
  },
} as const satisfies Route;

/** POST /api/blobs/uploads/{id}/complete */
export const completeUploadRoute = {
  id: "complete-upload",
  resource: "blobs",
  method: "POST",
  path: "/api/blobs/uploads/{id}/complete",
  host: "base",
  addition: "docs/adr/0009-presigned-uploads.md",
  summary: "Finish that upload",
  caller: "token",
  // The write was spent when the upload was started.
  countsAsWrite: false,
  query: completeUploadQuery,
  headers: ["Idempotency-Key"],
  response: { status: 201, json: blobResponse, additions: fileSecretsAddition },
  errors: ["unauthorized", "invalid_id", "invalid_arg", "secrets_found", "not_found", "quota_exceeded"],
  errorsAs: "json",
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"], items: ["TOKEN", "USER"] },
    audit: true,
    blobs: ["PutObject"],
    stagedFiles: ["DeleteObject", "GetObject"],
    settings: ["secretScan"],
  },
} as const satisfies Route;

/** GET /api/blobs/{id} */
export const getBlobRoute = {
  id: "get-blob",
  resource: "blobs",
  method: "GET",
  path: "/api/blobs/{id}",
  host: "base",
  addition: "An export has restricted files, too: no public address has their bytes.",
  summary: "One of your files",
  caller: "token",
  countsAsWrite: false,
  response: { status: 200, json: blobResponse, additions: blobAdditions },
  errors: ["unauthorized", "invalid_id", "not_found"],
  errorsAs: "json",
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER"] },
    restrictedFiles: ["GetObject"],
  },
} as const satisfies Route;
