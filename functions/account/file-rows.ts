import { pageRoute } from "../http/route.ts";
import { listQuery } from "./list-page.ts";
import { addition, formRow, sessionItems } from "./page-rows.ts";

/** GET /account/files */
export const showOwnFilesRoute = /* @__PURE__ */ pageRoute({
  id: "show-own-files",
  resource: "account-pages",
  method: "GET",
  path: "/account/files",
  addition,
  summary: "An owner's files, for the owner, and the form that uploads one",
  caller: "session",
  query: listQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden"],
  // Sorts up to 10,000 files.
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: sessionItems },
    secrets: ["cookieKey"],
    settings: ["members", "visibility"],
  },
});

/** POST /account/files */
export const uploadOwnFileRoute = /* @__PURE__ */ formRow({
  id: "upload-own-file",
  path: "/account/files",
  summary: "The form by which an owner uploads a file",
  errors: ["invalid_arg", "invalid_filename", "secrets_found", "idempotency_key_reused", "quota_exceeded"],
  memoryMegabytes: 1_024,
  actions: ["PutItem"],
  settings: ["secretScan", "visibility"],
  storage: { blobs: ["DeleteObject", "PutObject"] },
});

/** POST /account/files/{id} */
export const editOwnFileRoute = /* @__PURE__ */ formRow({
  id: "edit-own-file",
  path: "/account/files/{id}",
  summary: "The form by which an owner changes a file's visibility",
  errors: ["invalid_arg", "not_found"],
  settings: ["visibility"],
});

/** POST /account/files/{id}/delete */
export const deleteOwnFileRoute = /* @__PURE__ */ formRow({
  id: "delete-own-file",
  path: "/account/files/{id}/delete",
  summary: "The form by which an owner deletes a file",
  teamRole: "owner",
  errors: ["invalid_arg", "not_found"],
  actions: ["DeleteItem"],
  settings: ["visibility"],
});
