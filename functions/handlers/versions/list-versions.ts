import { ApiError } from "../../contract/api-error.ts";
import { listVersionsRoute } from "../../contract/version-routes.ts";
import { ok } from "../../http/answer.ts";
import { presentVersion } from "../../http/present-drop.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { served } from "../../store/served.ts";

/** GET /api/drops/{slug}/versions: latest first. */
export const listVersions = tokenOperation(listVersionsRoute, async ({ caller, path }) => {
  const [drop, found] = await Promise.all([
    served.findDrop(caller.userId, path.slug),
    served.listVersions(path.slug),
  ]);
  if (drop === undefined) throw new ApiError("not_found");
  return ok({ versions: found.map(presentVersion) });
});
