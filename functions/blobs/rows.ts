import { apiRows, pageRow, pageRows, readerGrants } from "../http/route.ts";
import { fileSecretsAddition } from "../secrets/schemas.ts";
import {
  blobAdditions,
  blobListResponse,
  blobResponse,
  completeUploadQuery,
  editBlobBody,
  fileKeyQuery,
  listBlobsQuery,
  startUploadBody,
  uploadBlobQuery,
  uploadResponse,
} from "./schemas.ts";

const fileErrors = ["invalid_filename", "empty_blob", "blob_too_large"] as const;

const apiRow = /* @__PURE__ */ apiRows({ resource: "blobs" });
export const listBlobsRoute = /* @__PURE__ */ apiRow("GET /api/blobs", {
  id: "list-blobs",
  addition: "Agents find the ids of files that they uploaded before.",
  summary: "Your files, newest first",
  query: listBlobsQuery,
  refusesUnknownParameters: true,
  response: { status: 200, json: blobListResponse },
  // Extra memory, because the function sorts up to 10,000 files.
  memoryMegabytes: 1_024,
  grants: { table: { actions: ["Query"], items: ["USER"] } },
});

export const uploadBlobRoute = /* @__PURE__ */ apiRow("POST /api/blobs", {
  id: "upload-blob",
  scope: "publish",
  summary: "Upload a file",
  query: uploadBlobQuery,
  headers: ["Idempotency-Key"],
  body: "bytes",
  response: { status: 201, json: blobResponse, additions: fileSecretsAddition },
  errors: [fileErrors, "secrets_found", "quota_exceeded"],
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "PutItem"], items: ["GROUP", "USER"] },
    audit: true,
    blobs: ["DeleteObject", "PutObject"],
    settings: ["expiry", "secretScan", "visibility"],
  },
});

export const deleteBlobRoute = /* @__PURE__ */ apiRow("DELETE /api/blobs/{id}", {
  id: "delete-blob",
  summary: "Delete a file",
  countsAsWrite: false,
  response: { status: 204 },
  errors: ["invalid_id"],
  grants: { table: { actions: ["DeleteItem", "GetItem"], items: ["USER"] }, audit: true },
});

export const editBlobRoute = /* @__PURE__ */ apiRow("PATCH /api/blobs/{id}", {
  id: "edit-blob",
  addition: "docs/adr/0051-restricted-files.md",
  summary: "Change a file's readers, not its bytes",
  body: { json: editBlobBody, required: false },
  response: { status: 200, json: blobResponse },
  errors: ["invalid_id"],
  grants: {
    table: { actions: ["BatchGetItem", "GetItem"], items: ["GROUP", "USER"] },
    audit: true,
    settings: ["expiry", "visibility"],
  },
});

export const serveBlobRoute = /* @__PURE__ */ pageRow("GET /b/{id}", {
  id: "serve-blob",
  resource: "blobs",
  host: "owner",
  addition: '"Serving: `https://<namespace>.{base_domain}/b/<id>`"',
  summary: "A file's bytes: images, video and audio inline, everything else as a download",
  response: { status: 200, content: "bytes" },
  servedBy: "bucket",
});

// Multi-step uploads are an addition to the specification, for clients that send a file directly to Amazon S3.

export const startUploadRoute = /* @__PURE__ */ apiRow("POST /api/blobs/uploads", {
  id: "start-upload",
  scope: "publish",
  addition: "docs/adr/0008-large-bodies.md",
  summary: "Start a large upload",
  headers: ["Idempotency-Key"],
  body: { json: startUploadBody, required: true },
  response: { status: 201, json: uploadResponse },
  errors: [fileErrors, "quota_exceeded"],
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "PutItem"], items: ["GROUP", "USER"] },
    audit: true,
    stagedFiles: ["PutObject"],
    settings: ["expiry", "visibility"],
  },
});

export const completeUploadRoute = /* @__PURE__ */ apiRow("POST /api/blobs/uploads/{id}/complete", {
  id: "complete-upload",
  scope: "publish",
  addition: "docs/adr/0008-large-bodies.md",
  summary: "Finish a large upload",
  // The start of the upload was already counted as a write.
  countsAsWrite: false,
  query: completeUploadQuery,
  headers: ["Idempotency-Key"],
  response: { status: 201, json: blobResponse, additions: fileSecretsAddition },
  errors: ["invalid_id", "secrets_found", "quota_exceeded"],
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "PutItem"], items: ["USER"] },
    audit: true,
    blobs: ["PutObject"],
    stagedFiles: ["DeleteObject", "GetObject"],
    settings: ["secretScan"],
  },
});

export const getBlobRoute = /* @__PURE__ */ apiRow("GET /api/blobs/{id}", {
  id: "get-blob",
  addition: "Exports include restricted files, whose bytes have no public address.",
  summary: "A file and its url",
  response: { status: 200, json: blobResponse, additions: blobAdditions },
  errors: ["invalid_id"],
  grants: { table: { actions: ["GetItem"], items: ["USER"] }, restrictedFiles: ["GetObject"] },
});

const fileRow = /* @__PURE__ */ pageRows({
  resource: "pages",
  addition: "docs/adr/0051-restricted-files.md",
  grants: readerGrants,
});

export const showFileRoute = /* @__PURE__ */ fileRow("GET /files/{namespace}/{id}", {
  id: "show-file",
  summary: "A restricted file: signs the reader in, and redirects to the bytes",
  query: fileKeyQuery,
  response: { status: 303 },
  grants: { table: { items: ["NS"] }, restrictedFiles: ["GetObject"] },
});

export const showEmbeddedFileRoute = /* @__PURE__ */ fileRow("GET /b/{id}/{key}", {
  id: "show-embedded-file",
  host: "owner",
  summary: "A restricted file in a page: redirects the reader to the bytes, or to the file's own address",
  response: { status: 302 },
  grants: { table: { items: ["NS"] }, restrictedFiles: ["GetObject"] },
});
