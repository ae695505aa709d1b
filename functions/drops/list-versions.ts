import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { keptVersionsMax } from "./items.ts";
import { presentVersion } from "./presenter.ts";
import { publicDrops } from "./public-drops.ts";
import { listVersionsRoute } from "./version-rows.ts";

/** GET /api/drops/{slug}/versions: lists a drop's versions, latest first. */
export const listVersions = tokenOperation(listVersionsRoute, async ({ caller, path, nowMs }) => {
  const [, found] = await Promise.all([
    publicDrops.requireDrop(caller.userId, path.slug, nowMs),
    publicDrops.listVersions(path.slug),
  ]);
  const keep = keptVersionsMax();
  return ok({
    versions: found.map(presentVersion),
    ...(keep === undefined ? {} : { keep_versions: keep }),
  });
});
