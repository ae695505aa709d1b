import { ApiError } from "../../contract/api-error.ts";
import { setPasscodeRoute } from "../../contract/drop-routes.ts";
import { withGate } from "../../domain/drop.ts";
import { hashPasscode } from "../../domain/passcode.ts";
import { ok } from "../../http/answer.ts";
import { requireMatch, withEntityTag } from "../../http/if-match.ts";
import { presentDrop } from "../../http/present-drop.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { drops } from "../../store/drops.ts";

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
