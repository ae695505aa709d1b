import { blobAnswer } from "./answers.ts";
import type { Route } from "./route.ts";
import { startUploadBody, uploadAnswer } from "./uploads.ts";

// Additions to the specification: uploads in steps, for clients that rather send a file to Amazon S3 itself.

/** POST /api/blobs/uploads */
export const startUploadRoute = {
  id: "start-upload",
  resource: "blobs",
  method: "POST",
  path: "/api/blobs/uploads",
  host: "base",
  summary: "Start an upload in steps: gives an address to send the file to",
  caller: "token",
  countsAsWrite: true,
  headers: ["Idempotency-Key"],
  body: { json: startUploadBody, required: true },
  answer: { status: 201, json: uploadAnswer },
  errors: [
    "unauthorized",
    "invalid_json",
    "invalid_arg",
    "invalid_filename",
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
    stagedFiles: ["PutObject"],
  },
} as const satisfies Route;

/** POST /api/blobs/uploads/{id}/complete */
export const completeUploadRoute = {
  id: "complete-upload",
  resource: "blobs",
  method: "POST",
  path: "/api/blobs/uploads/{id}/complete",
  host: "base",
  summary: "Make a file of an upload in steps; more than once gives the same file",
  caller: "token",
  // The write was spent when the upload was started.
  countsAsWrite: false,
  headers: ["Idempotency-Key"],
  answer: { status: 201, json: blobAnswer },
  errors: ["unauthorized", "invalid_id", "invalid_arg", "not_found", "quota_exceeded"],
  errorsAs: "json",
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "PutItem", "UpdateItem"], items: ["TOKEN", "USER"] },
    audit: true,
    blobs: ["PutObject"],
    stagedFiles: ["DeleteObject", "GetObject"],
  },
} as const satisfies Route;
