import { ApiError } from "../../contract/api-error.ts";
import { deleteVersionRoute } from "../../contract/version-routes.ts";
import { noContent } from "../../http/answer.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { drops } from "../../store/drops.ts";
import { versionRemoval } from "../../store/version-removal.ts";

/** Races with other writers of the drop that one deletion stands. */
const attemptsMax = 30;

/** DELETE /api/drops/{slug}/v/{n}: never the last one; the latest falls back to the highest that remains. */
export const deleteVersion = tokenOperation(deleteVersionRoute, async ({ caller, path, act }) => {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const drop = await drops.find(caller.userId, path.slug);
    if (drop === undefined) throw new ApiError("not_found");
    const outcome = await versionRemoval.remove(drop, path.version, act);
    switch (outcome) {
      case "removed":
        return noContent();
      case "missing":
        throw new ApiError("not_found");
      case "last":
        throw new ApiError("last_version_cannot_be_deleted");
      case "raced":
        continue;
    }
  }
  throw new ApiError("unavailable", { retryAfterSeconds: 1 });
});
