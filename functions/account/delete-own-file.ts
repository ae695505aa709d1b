import { blobs } from "../blobs/store.ts";
import { ApiError } from "../core/errors.ts";
import { patterns } from "../http/schemas.ts";
import { deleteOwnFileRoute } from "./file-rows.ts";
import { ownFilesPage } from "./own-files.ts";
import { ownerForm } from "./owner-form.ts";
import { problemOf } from "./problem.ts";

/** POST /account/files/{id}/delete: permanently deletes an owner's file. */
export const deleteOwnFile = ownerForm(deleteOwnFileRoute, {
  pageOf: () => ({ page: "files" }),
  read: (fields) => {
    if (fields.get("confirm") === "yes") return {};
    throw new ApiError("invalid_arg", { message: "To delete the file, tick the box." });
  },
  change: async ({ owner, path, act }) => {
    const { id } = path;
    if (!patterns.blobId.test(id)) throw new ApiError("not_found");
    // The CSRF token proves that the file belonged to the owner, so a missing file was already deleted.
    await blobs.remove(owner.userId, id, act);
    return { path: "/account/files?done=file-deleted", wrote: { blobId: id } };
  },
  showAgain: (input, fields, error) => ownFilesPage(input, { problem: problemOf(error, fields) }),
});
