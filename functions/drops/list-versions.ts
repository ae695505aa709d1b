import { ApiError } from "../http/errors.ts";
import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { keptVersionsMax } from "./items.ts";
import { presentVersion } from "./presenter.ts";
import { publicDrops } from "./public-drops.ts";
import { listVersionsRoute } from "./version-rows.ts";

/** GET /api/drops/{slug}/versions: latest first. */
export const listVersions = tokenOperation(listVersionsRoute, async ({ caller, path, nowMs }) => {
  const [drop, found] = await Promise.all([
    publicDrops.findDrop(caller.userId, path.slug, nowMs),
    publicDrops.listVersions(path.slug),
  ]);
  if (drop === undefined) throw new ApiError("not_found");
  const keep = keptVersionsMax();
  return ok({
    versions: found.map(presentVersion),
    ...(keep === undefined ? {} : { keep_versions: keep }),
  });
});
