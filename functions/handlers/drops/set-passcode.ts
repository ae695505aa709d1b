import { ApiError } from "../../contract/api-error.ts";
import { setPasscodeRoute } from "../../contract/routes.ts";
import { hashPasscode } from "../../domain/passcode.ts";
import { ok } from "../../http/answer.ts";
import { presentDrop } from "../../http/present-drop.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { drops } from "../../store/drops.ts";

/** POST /api/drops/{slug}/passcode: lock the drop, or unlock it with the empty string. */
export const setPasscode = tokenOperation(setPasscodeRoute, async ({ caller, path, body, site, nowMs }) => {
  const passcodeHash = body.passcode === "" ? null : await hashPasscode(body.passcode);
  const drop = await drops.setGate(caller.userId, path.slug, passcodeHash, nowMs);
  if (drop === undefined) throw new ApiError("not_found");
  return ok(presentDrop(site, drop));
});
