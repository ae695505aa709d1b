import { ApiError } from "../../contract/api-error.ts";
import { deleteDropRoute } from "../../contract/routes.ts";
import { noContent } from "../../http/answer.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { drops } from "../../store/drops.ts";

/** DELETE /api/drops/{slug}: the drop and its versions are gone; the slug is never issued again. */
export const deleteDrop = tokenOperation(deleteDropRoute, async ({ caller, path }) => {
  const isRemoved = await drops.remove(caller.userId, path.slug);
  if (!isRemoved) throw new ApiError("not_found");
  return noContent();
});
