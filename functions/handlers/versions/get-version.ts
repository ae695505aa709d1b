import { ApiError } from "../../contract/api-error.ts";
import { getVersionRoute } from "../../contract/version-routes.ts";
import { ok } from "../../http/answer.ts";
import { presentVersion } from "../../http/present-drop.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { served } from "../../store/served.ts";

/** GET /api/drops/{slug}/v/{n}: a version's size and time. */
export const getVersion = tokenOperation(getVersionRoute, async ({ caller, path }) => {
  const [drop, version] = await Promise.all([
    served.findDrop(caller.userId, path.slug),
    served.findVersion(path.slug, path.version),
  ]);
  if (drop === undefined || version === undefined) throw new ApiError("not_found");
  return ok(presentVersion(version));
});
