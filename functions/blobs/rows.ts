import { apiRoute, errorCodes, pageRoute, writeErrors } from "../http/route.ts";
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
export const listBlobsRoute = /* @__PURE__ */ apiRoute({
  id: "list-blobs",
  resource: "blobs",
  method: "GET",
  path: "/api/blobs",
  addition: "Agents find the ids of files that they uploaded before.",
  summary: "Your files, newest first",
  query: listBlobsQuery,
  refusesUnknownParameters: true,
  response: { status: 200, json: blobListResponse },
  errors: ["unauthorized", "invalid_arg"],
  // Sorts up to 10,000 files.
  memoryMegabytes: 1_024,
  grants: { table: { actions: ["Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
});

/** POST /api/blobs */
export const uploadBlobRoute = /* @__PURE__ */ apiRoute({
  id: "upload-blob",
  resource: "blobs",
  method: "POST",
  path: "/api/blobs",
  scope: "publish",
  summary: "Upload a file",
  query: uploadBlobQuery,
  headers: ["Idempotency-Key"],
  body: "bytes",
  response: { status: 201, json: blobResponse, additions: fileSecretsAddition },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    fileErrors,
    "secrets_found",
    writeErrors,
    "quota_exceeded",
  ),
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "PutItem", "UpdateItem"],
      items: ["TOKEN", "USER", "GROUP"],
    },
    audit: true,
    blobs: ["DeleteObject", "PutObject"],
    settings: ["expiry", "secretScan", "visibility"],
  },
});

/** DELETE /api/blobs/{id} */
export const deleteBlobRoute = /* @__PURE__ */ apiRoute({
  id: "delete-blob",
  resource: "blobs",
  method: "DELETE",
  path: "/api/blobs/{id}",
  summary: "Delete a file",
  countsAsWrite: false,
  response: { status: 204 },
  errors: ["unauthorized", "invalid_id", "not_found"],
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "UpdateItem"], items: ["TOKEN", "USER"] },
    audit: true,
  },
});

/** PATCH /api/blobs/{id} */
export const editBlobRoute = /* @__PURE__ */ apiRoute({
  id: "edit-blob",
  resource: "blobs",
  method: "PATCH",
  path: "/api/blobs/{id}",
  addition: "docs/adr/0051-restricted-files.md",
  summary: "Change a file's readers, not its bytes",
  body: { json: editBlobBody, required: false },
  response: { status: 200, json: blobResponse },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_id",
    "invalid_json",
    "invalid_arg",
    "not_found",
    writeErrors,
  ),
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "UpdateItem"], items: ["TOKEN", "USER", "GROUP"] },
    audit: true,
    settings: ["expiry", "visibility"],
  },
});

/** GET /b/{id} */
export const serveBlobRoute = /* @__PURE__ */ pageRoute({
  id: "serve-blob",
  resource: "blobs",
  method: "GET",
  path: "/b/{id}",
  host: "owner",
  addition: '"Serving: `https://<namespace>.{base_domain}/b/<id>`"',
  summary: "A file's bytes: images, video and audio inline, everything else as a download",
  response: { status: 200, content: "bytes" },
  errors: ["not_found"],
  grants: {},
  servedBy: "bucket",
});

// Additions to the specification: uploads in steps, for clients that prefer to send a file to Amazon S3 itself.

/** POST /api/blobs/uploads */
export const startUploadRoute = /* @__PURE__ */ apiRoute({
  id: "start-upload",
  resource: "blobs",
  method: "POST",
  path: "/api/blobs/uploads",
  scope: "publish",
  addition: "docs/adr/0008-large-bodies.md",
  summary: "Start a large upload",
  headers: ["Idempotency-Key"],
  body: { json: startUploadBody, required: true },
  response: { status: 201, json: uploadResponse },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_json",
    fileErrors,
    writeErrors,
    "quota_exceeded",
  ),
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "PutItem", "UpdateItem"],
      items: ["TOKEN", "USER", "GROUP"],
    },
    audit: true,
    stagedFiles: ["PutObject"],
    settings: ["expiry", "visibility"],
  },
});

/** POST /api/blobs/uploads/{id}/complete */
export const completeUploadRoute = /* @__PURE__ */ apiRoute({
  id: "complete-upload",
  resource: "blobs",
  method: "POST",
  path: "/api/blobs/uploads/{id}/complete",
  scope: "publish",
  addition: "docs/adr/0008-large-bodies.md",
  summary: "Finish a large upload",
  // The upload's start already counted as a write.
  countsAsWrite: false,
  query: completeUploadQuery,
  headers: ["Idempotency-Key"],
  response: { status: 201, json: blobResponse, additions: fileSecretsAddition },
  errors: ["unauthorized", "invalid_id", "invalid_arg", "secrets_found", "not_found", "quota_exceeded"],
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"], items: ["TOKEN", "USER"] },
    audit: true,
    blobs: ["PutObject"],
    stagedFiles: ["DeleteObject", "GetObject"],
    settings: ["secretScan"],
  },
});

/** GET /api/blobs/{id} */
export const getBlobRoute = /* @__PURE__ */ apiRoute({
  id: "get-blob",
  resource: "blobs",
  method: "GET",
  path: "/api/blobs/{id}",
  addition: "Exports include restricted files, whose bytes have no public address.",
  summary: "A file and its url",
  response: { status: 200, json: blobResponse, additions: blobAdditions },
  errors: ["unauthorized", "invalid_id", "not_found"],
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER"] },
    restrictedFiles: ["GetObject"],
  },
});
