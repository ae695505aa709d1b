import { ApiError } from "../http/errors.ts";
import { ok, withEntityTag } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { presentDrop } from "./presenter.ts";
import { getDropRoute } from "./rows.ts";
import { drops } from "./store.ts";

/** GET /api/drops/{slug}: a drop of the caller. */
export const getDrop = tokenOperation(getDropRoute, async ({ caller, path, site }) => {
  const drop = await drops.find(caller.userId, path.slug);
  if (drop === undefined) throw new ApiError("not_found");
  return withEntityTag(ok(presentDrop(site, drop)), drop);
});
