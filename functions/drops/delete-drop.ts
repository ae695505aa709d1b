import { noContent } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { deleteOwnedDrop } from "./owned-drops.ts";
import { deleteDropRoute } from "./rows.ts";

/** DELETE /api/drops/{slug}: deletes the drop and its versions. The slug is never issued again. */
export const deleteDrop = tokenOperation(deleteDropRoute, async ({ caller, path, ifMatch, act }) => {
  await deleteOwnedDrop({ ownerId: caller.userId, slug: path.slug, ifMatch }, act);
  return noContent();
});
