import { ApiError } from "../core/errors.ts";
import { noContent } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { deleteBlobRoute } from "./rows.ts";
import { blobs } from "./store.ts";

/** DELETE /api/blobs/{id}: deletes a file. Its bytes no longer count towards the quota. */
export const deleteBlob = tokenOperation(deleteBlobRoute, async ({ caller, path, act }) => {
  const isRemoved = await blobs.remove(caller.userId, path.id, act);
  if (!isRemoved) throw new ApiError("not_found");
  return noContent();
});
