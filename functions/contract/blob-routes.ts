import { blobAnswer } from "./answers.ts";
import { uploadBlobQuery } from "./queries.ts";
import type { Route } from "./route.ts";

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
  answer: { status: 201, json: blobAnswer },
  errors: [
    "unauthorized",
    "invalid_filename",
    "invalid_arg",
    "empty_blob",
    "blob_too_large",
    "rate_limited",
    "daily_quota_exceeded",
    "quota_exceeded",
  ],
  errorsAs: "json",
  grants: {
    table: { actions: ["GetItem", "PutItem", "UpdateItem"], items: ["TOKEN", "USER"] },
    audit: true,
    blobs: ["DeleteObject", "PutObject"],
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
  answer: { status: 204 },
  errors: ["unauthorized", "invalid_id", "not_found"],
  errorsAs: "json",
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "UpdateItem"], items: ["TOKEN", "USER"] },
    audit: true,
  },
} as const satisfies Route;

/** GET /b/{id} */
export const serveBlobRoute = {
  id: "serve-blob",
  resource: "blobs",
  method: "GET",
  path: "/b/{id}",
  host: "owner",
  summary: "A file's bytes: images, video and audio inline, everything else as a download",
  caller: "anyone",
  countsAsWrite: false,
  answer: { status: 200, content: "bytes" },
  errors: ["not_found"],
  errorsAs: "page",
  grants: {},
  servedBy: "bucket",
} as const satisfies Route;
