import { ApiError } from "../../contract/api-error.ts";
import { editDropRoute } from "../../contract/routes.ts";
import { hasChanges } from "../../domain/drop.ts";
import { ok } from "../../http/answer.ts";
import { presentDrop } from "../../http/present-drop.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { drops } from "../../store/drops.ts";

/** PATCH /api/drops/{slug}: title, description or metadata; no new version. */
export const editDrop = tokenOperation(editDropRoute, async ({ caller, path, body, site, nowMs }) => {
  const drop = hasChanges(body)
    ? await drops.edit(caller.userId, path.slug, body, nowMs)
    : await drops.find(caller.userId, path.slug);
  if (drop === undefined) throw new ApiError("not_found");
  return ok(presentDrop(site, drop));
});
