import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { noSuchVersion } from "./items.ts";
import { presentVersion } from "./presenter.ts";
import { publicDrops } from "./public-drops.ts";
import { getVersionRoute } from "./version-rows.ts";

/** GET /api/drops/{slug}/v/{n}: returns a version's size, time and other details. */
export const getVersion = tokenOperation(getVersionRoute, async ({ caller, path, nowMs }) => {
  const [drop, version] = await Promise.all([
    publicDrops.requireDrop(caller.userId, path.slug, nowMs),
    publicDrops.findVersion(path.slug, path.version),
  ]);
  if (version === undefined) throw noSuchVersion(drop, path.version);
  return ok(presentVersion(version));
});
