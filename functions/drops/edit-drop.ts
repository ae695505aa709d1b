import { requireMatch, withEntityTag } from "../platform/conditions.ts";
import { ApiError } from "../platform/errors.ts";
import { ok } from "../platform/response.ts";
import { tokenOperation } from "../platform/token-operation.ts";
import { hasChanges, withChanges } from "./drop.ts";
import { presentDrop } from "./presenter.ts";
import { editDropRoute } from "./rows.ts";
import { drops } from "./store.ts";

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
