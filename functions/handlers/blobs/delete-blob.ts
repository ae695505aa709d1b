import { ApiError } from "../../contract/api-error.ts";
import { deleteBlobRoute } from "../../contract/blob-routes.ts";
import { noContent } from "../../http/answer.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { blobs } from "../../store/blobs.ts";

/** DELETE /api/blobs/{id}: the file is gone, and its bytes are free again. */
export const deleteBlob = tokenOperation(deleteBlobRoute, async ({ caller, path, act }) => {
  const isRemoved = await blobs.remove(caller.userId, path.id, act);
  if (!isRemoved) throw new ApiError("not_found");
  return noContent();
});
