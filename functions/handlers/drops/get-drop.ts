import { ApiError } from "../../contract/api-error.ts";
import { getDropRoute } from "../../contract/drop-routes.ts";
import { ok } from "../../http/answer.ts";
import { withEntityTag } from "../../http/if-match.ts";
import { presentDrop } from "../../http/present-drop.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { drops } from "../../store/drops.ts";

/** GET /api/drops/{slug}: a drop of the caller. */
export const getDrop = tokenOperation(getDropRoute, async ({ caller, path, site }) => {
  const drop = await drops.find(caller.userId, path.slug);
  if (drop === undefined) throw new ApiError("not_found");
  return withEntityTag(ok(presentDrop(site, drop)), drop);
});
