import { ok, withEntityTag } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { undeleteOwnedDrop } from "./owned-drops.ts";
import { presentDrop } from "./presenter.ts";
import { undeleteDropRoute } from "./trash-rows.ts";

/** POST /api/drops/{slug}/undelete: restores a drop from the trash. A drop that is not in the trash stays unchanged. */
export const undeleteDrop = tokenOperation(undeleteDropRoute, async (input) => {
  const { caller, path, body, site, act } = input;
  const owned = { ownerId: caller.userId, slug: path.slug };
  const drop = await undeleteOwnedDrop(owned, body, act);
  return withEntityTag(ok(presentDrop(site, drop)), drop);
});
