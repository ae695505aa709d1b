import { requireMatch } from "../platform/conditions.ts";
import { ApiError } from "../platform/errors.ts";
import { noContent } from "../platform/response.ts";
import { tokenOperation } from "../platform/token-operation.ts";
import { deleteDropRoute } from "./rows.ts";
import { drops } from "./store.ts";

/** Races with other writers of the drop that one deletion stands. */
const attemptsMax = 30;

/** DELETE /api/drops/{slug}: the drop and its versions are gone; the slug is never issued again. */
export const deleteDrop = tokenOperation(deleteDropRoute, async ({ caller, path, ifMatch, act }) => {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const drop = ifMatch === undefined ? undefined : await drops.find(caller.userId, path.slug);
    if (drop !== undefined) requireMatch(ifMatch, drop);
    const outcome = await drops.remove(caller.userId, path.slug, act, drop?.revision);
    switch (outcome) {
      case "removed":
        return noContent();
      case "missing":
        throw new ApiError("not_found");
      case "raced":
        continue;
    }
  }
  throw new ApiError("unavailable", { retryAfterSeconds: 1 });
});
