import { ApiError } from "../../contract/api-error.ts";
import { editDropRoute } from "../../contract/drop-routes.ts";
import { hasChanges, withChanges } from "../../domain/drop.ts";
import { ok } from "../../http/answer.ts";
import { requireMatch, withEntityTag } from "../../http/if-match.ts";
import { presentDrop } from "../../http/present-drop.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { drops } from "../../store/drops.ts";

/** PATCH /api/drops/{slug}: title, description or metadata; no new version. */
export const editDrop = tokenOperation(editDropRoute, async (input) => {
  const { caller, path, body, ifMatch, site, nowMs, act } = input;
  const found = await drops.find(caller.userId, path.slug);
  if (found === undefined) throw new ApiError("not_found");
  requireMatch(ifMatch, found);
  if (!hasChanges(body)) return withEntityTag(ok(presentDrop(site, found)), found);
  const drop = await drops.change(found, act, (current) => {
    requireMatch(ifMatch, current);
    return { drop: withChanges(current, body, nowMs) };
  });
  if (drop === undefined) throw new ApiError("not_found");
  return withEntityTag(ok(presentDrop(site, drop)), drop);
});
