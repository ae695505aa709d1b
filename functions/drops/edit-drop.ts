import { requireMatch, withEntityTag } from "../platform/conditions.ts";
import { ApiError } from "../platform/errors.ts";
import { ok } from "../platform/response.ts";
import { refundInvalid, tokenOperation } from "../platform/token-operation.ts";
import { hasChanges, withChanges } from "./drop.ts";
import { presentDrop } from "./presenter.ts";
import { editDropRoute } from "./rows.ts";
import { drops } from "./store.ts";
import { requireAllowed } from "./visibility.ts";

/** PATCH /api/drops/{slug}: title, description, metadata or who may read it; no new version. */
export const editDrop = tokenOperation(editDropRoute, async (input) => {
  const { caller, path, body, ifMatch, site, nowMs, act } = input;
  const found = await drops.find(caller.userId, path.slug);
  if (found === undefined) throw new ApiError("not_found");
  if (!hasChanges(body)) {
    requireMatch(ifMatch, found);
    return withEntityTag(ok(presentDrop(site, found)), found);
  }
  const change = drops.change(found, act, (current) => {
    const changed = withChanges(current, body, nowMs);
    requireAllowed(changed.visibility);
    // RFC 9110, section 13.2.1: a precondition counts where the request would succeed without it.
    requireMatch(ifMatch, current);
    return { drop: changed };
  });
  // Whether readers can be named depends on the drop.
  const drop = await change.catch((error) => refundInvalid(error, caller));
  if (drop === undefined) throw new ApiError("not_found");
  return withEntityTag(ok(presentDrop(site, drop)), drop);
});
