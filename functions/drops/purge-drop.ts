import { ApiError } from "../core/errors.ts";
import { noContent } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { purgeDropRoute } from "./trash-rows.ts";
import { trash } from "./trash-store.ts";

/** DELETE /api/trash/{slug}: deletes the drop for good, and its bytes no longer count. */
export const purgeDrop = tokenOperation(purgeDropRoute, async ({ caller, path, act }) => {
  if (await trash.purge(caller.userId, path.slug, act)) return noContent();
  throw new ApiError("not_found", {
    message:
      "The trash does not have this drop. GET /api/trash lists it. DELETE /api/drops/{slug} puts a drop there.",
  });
});
