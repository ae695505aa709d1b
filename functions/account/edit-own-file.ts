import { editOwnedBlob } from "../blobs/edit-owned-blob.ts";
import { editBlobBody } from "../blobs/schemas.ts";
import { ApiError } from "../core/errors.ts";
import { patterns } from "../http/schemas.ts";
import { validate } from "../http/validation.ts";
import { editOwnFileRoute } from "./file-rows.ts";
import { ownFilesPage } from "./own-files.ts";
import { ownerForm } from "./owner-form.ts";
import { problemOf } from "./problem.ts";

/** POST /account/files/{id}: changes the visibility of an owner's file. */
export const editOwnFile = ownerForm(editOwnFileRoute, {
  pageOf: () => ({ page: "files" }),
  read: (fields) => validate(editBlobBody, { visibility: fields.get("visibility") }),
  change: async ({ owner, path, act }, change) => {
    const { id } = path;
    if (!patterns.blobId.test(id)) throw new ApiError("not_found");
    await editOwnedBlob(owner.userId, id, change, act);
    return { path: "/account/files?done=saved", wrote: { blobId: id } };
  },
  showAgain: (input, fields, error) => ownFilesPage(input, { problem: problemOf(error, fields) }),
});
