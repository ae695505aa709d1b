import { errorCodes, type Route, writeErrors } from "../http/route.ts";
import { listQuery } from "./list-page.ts";
import { addition, sessionItems } from "./page-rows.ts";

/** GET /account/files */
export const showOwnFilesRoute = {
  id: "show-own-files",
  resource: "account-pages",
  method: "GET",
  path: "/account/files",
  host: "base",
  addition,
  summary: "An owner's files, for the owner, and the form that uploads one",
  caller: "session",
  countsAsWrite: false,
  query: listQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden"],
  errorsAs: "page",
  // Up to 10,000 files to go through.
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: sessionItems },
    secrets: ["cookieKey"],
    settings: ["members", "visibility"],
  },
} as const satisfies Route;

/** POST /account/files */
export const uploadOwnFileRoute = {
  id: "upload-own-file",
  resource: "account-pages",
  method: "POST",
  path: "/account/files",
  host: "base",
  addition,
  summary: "The form by which an owner uploads a file",
  caller: "session",
  countsAsWrite: true,
  body: "form",
  response: { status: 303 },
  errors: /* @__PURE__ */ errorCodes(
    "forbidden",
    "invalid_arg",
    "invalid_filename",
    "idempotency_key_reused",
    "quota_exceeded",
    writeErrors,
  ),
  errorsAs: "page",
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: [...sessionItems, "LIMIT"],
    },
    audit: true,
    blobs: ["DeleteObject", "PutObject"],
    secrets: ["cookieKey"],
    settings: ["members", "visibility"],
  },
} as const satisfies Route;

/** POST /account/files/{id} */
export const editOwnFileRoute = {
  id: "edit-own-file",
  resource: "account-pages",
  method: "POST",
  path: "/account/files/{id}",
  host: "base",
  addition,
  summary: "The form by which an owner says whether their public page shows a file",
  caller: "session",
  countsAsWrite: true,
  body: "form",
  response: { status: 303 },
  errors: /* @__PURE__ */ errorCodes("forbidden", "invalid_arg", "not_found", writeErrors),
  errorsAs: "page",
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: [...sessionItems, "LIMIT"],
    },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["members", "visibility"],
  },
} as const satisfies Route;

/** POST /account/files/{id}/delete */
export const deleteOwnFileRoute = {
  id: "delete-own-file",
  resource: "account-pages",
  method: "POST",
  path: "/account/files/{id}/delete",
  host: "base",
  addition,
  summary: "The form by which an owner deletes a file",
  caller: "session",
  countsAsWrite: true,
  body: "form",
  response: { status: 303 },
  errors: /* @__PURE__ */ errorCodes("forbidden", "invalid_arg", "not_found", writeErrors),
  errorsAs: "page",
  grants: {
    table: {
      actions: ["BatchGetItem", "DeleteItem", "GetItem", "Query", "UpdateItem"],
      items: [...sessionItems, "LIMIT"],
    },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["members", "visibility"],
  },
} as const satisfies Route;
