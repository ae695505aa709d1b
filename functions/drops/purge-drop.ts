import { ApiError } from "../core/errors.ts";
import { noContent } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { purgeDropRoute } from "./trash-rows.ts";
import { trash } from "./trash-store.ts";

/** DELETE /api/trash/{slug}: deletes a drop for good. Its bytes no longer count towards the quota. */
export const purgeDrop = tokenOperation(purgeDropRoute, async ({ caller, path, act }) => {
  if (await trash.purge(caller.userId, path.slug, act)) return noContent();
  throw new ApiError("not_found", {
    message:
      "This drop is not in the trash. GET /api/trash lists the trash. DELETE /api/drops/{slug} puts a drop there.",
  });
});
