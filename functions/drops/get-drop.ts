import { ok, withEntityTag } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { presentDrop } from "./presenter.ts";
import { getDropRoute } from "./rows.ts";
import { drops } from "./store.ts";

/** GET /api/drops/{slug}: returns a drop of the caller. */
export const getDrop = tokenOperation(getDropRoute, async ({ caller, path, site, nowMs }) => {
  const drop = await drops.require({ ownerId: caller.userId, slug: path.slug }, nowMs);
  return withEntityTag(ok(presentDrop(site, drop)), drop);
});
