import { requireMatch, withEntityTag } from "../platform/conditions.ts";
import { ApiError } from "../platform/errors.ts";
import { hashPasscode } from "../platform/passcode.ts";
import { ok } from "../platform/response.ts";
import { tokenOperation } from "../platform/token-operation.ts";
import { withGate } from "./drop.ts";
import { presentDrop } from "./presenter.ts";
import { setPasscodeRoute } from "./rows.ts";
import { drops } from "./store.ts";

/** POST /api/drops/{slug}/passcode: lock the drop, or unlock it with the empty string. */
export const setPasscode = tokenOperation(setPasscodeRoute, async (input) => {
  const { caller, path, body, ifMatch, site, nowMs, act } = input;
  const found = await drops.find(caller.userId, path.slug);
  if (found === undefined) throw new ApiError("not_found");
  requireMatch(ifMatch, found);
  const passcodeHash = body.passcode === "" ? null : await hashPasscode(body.passcode);
  const drop = await drops.change(found, act, (current) => {
    requireMatch(ifMatch, current);
    return { drop: withGate(current, passcodeHash, nowMs) };
  });
  if (drop === undefined) throw new ApiError("not_found");
  return withEntityTag(ok(presentDrop(site, drop)), drop);
});
