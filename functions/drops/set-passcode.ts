import { ok, withEntityTag } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { lockOwnedDrop } from "./owned-drops.ts";
import { presentDrop } from "./presenter.ts";
import { setPasscodeRoute } from "./rows.ts";

/** POST /api/drops/{slug}/passcode: locks the drop with a passcode. An empty passcode unlocks the drop. */
export const setPasscode = tokenOperation(setPasscodeRoute, async (input) => {
  const { caller, path, body, ifMatch, site, act } = input;
  const owned = { ownerId: caller.userId, slug: path.slug, ifMatch };
  const drop = await lockOwnedDrop(owned, body.passcode, act);
  return withEntityTag(ok(presentDrop(site, drop)), drop);
});
