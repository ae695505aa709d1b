import { listQuery } from "./list-page.ts";
import { formRow, ownerPageRow } from "./page-rows.ts";

export const showOwnFilesRoute = /* @__PURE__ */ ownerPageRow("GET /account/files", {
  id: "show-own-files",
  summary: "The signed-in owner's files, with a form to upload one",
  query: listQuery,
  // Enough memory to sort up to 10,000 files.
  memoryMegabytes: 1_024,
  grants: { table: { actions: ["Query"] }, settings: ["visibility"] },
});

export const uploadOwnFileRoute = /* @__PURE__ */ formRow("POST /account/files", {
  id: "upload-own-file",
  summary: "The owner's form to upload a file",
  memoryMegabytes: 1_024,
  errors: ["invalid_arg", "invalid_filename", "secrets_found", "idempotency_key_reused", "quota_exceeded"],
  grants: {
    table: { actions: ["PutItem"] },
    settings: ["secretScan", "visibility"],
    blobs: ["DeleteObject", "PutObject"],
  },
});

export const editOwnFileRoute = /* @__PURE__ */ formRow("POST /account/files/{id}", {
  id: "edit-own-file",
  summary: "The owner's form to change a file's visibility",
  errors: ["invalid_arg"],
  grants: { settings: ["visibility"] },
});

export const deleteOwnFileRoute = /* @__PURE__ */ formRow("POST /account/files/{id}/delete", {
  id: "delete-own-file",
  summary: "The owner's form to delete a file",
  teamRole: "owner",
  errors: ["invalid_arg"],
  grants: { table: { actions: ["DeleteItem"] }, settings: ["visibility"] },
});
