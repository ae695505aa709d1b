import { noContent } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { deleteOwnedVersion } from "./version-removal.ts";
import { deleteVersionRoute } from "./version-rows.ts";

/** DELETE /api/drops/{slug}/v/{n}: deletes a version, but never the only version. The highest remaining version becomes the latest. */
export const deleteVersion = tokenOperation(deleteVersionRoute, async ({ caller, path, act }) => {
  await deleteOwnedVersion({ ownerId: caller.userId, slug: path.slug, version: path.version }, act);
  return noContent();
});
