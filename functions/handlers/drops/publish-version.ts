import { ApiError } from "../../contract/api-error.ts";
import { limits } from "../../contract/limits.ts";
import { publishVersionRoute } from "../../contract/routes.ts";
import { addVersion, type Drop } from "../../domain/drop.ts";
import { createObjectId } from "../../domain/identifiers.ts";
import { toStoredPage } from "../../domain/page-content.ts";
import { ok } from "../../http/answer.ts";
import { presentDrop } from "../../http/present-drop.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { drops } from "../../store/drops.ts";
import { pages } from "../../store/pages.ts";

/** PUT /api/drops/{slug}: a new version; the URL stays. Title, description and metadata may come along. */
export const publishVersion = tokenOperation(publishVersionRoute, async (input) => {
  const { caller, path, body, site, nowMs, randomInt } = input;
  const found = await drops.find(caller.userId, path.slug);
  if (found === undefined) throw new ApiError("not_found");
  requireRoom(found);
  const page = toStoredPage(path.slug, createObjectId(randomInt), body);
  await pages.put(page); // page first: a row never points at a missing object
  const drop = await drops.addVersion(found, (current) => {
    requireRoom(current);
    return addVersion(current, page, body, nowMs);
  });
  if (drop === undefined) throw new ApiError("not_found");
  return ok(presentDrop(site, drop));
});

function requireRoom(drop: Drop): void {
  if (drop.versionCount < limits.versionsPerDropMax) return;
  throw new ApiError("version_limit_reached", {
    details: { versions_max: limits.versionsPerDropMax },
    retryAfterSeconds: limits.quotaRetryAfterSeconds,
  });
}
