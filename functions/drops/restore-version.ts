import { requireMatch, withEntityTag } from "../platform/conditions.ts";
import { ApiError } from "../platform/errors.ts";
import { createObjectId } from "../platform/identifiers.ts";
import { ok } from "../platform/response.ts";
import { tokenOperation } from "../platform/token-operation.ts";
import { addVersion, type Drop } from "./drop.ts";
import { pageObjectKey } from "./page-content.ts";
import { pages } from "./page-objects.ts";
import { presentPublication, writtenVersion } from "./presenter.ts";
import { served } from "./served.ts";
import { drops, requireVersionQuota } from "./store.ts";
import { noSuchVersion } from "./stored-bytes.ts";
import { restoreVersionRoute } from "./version-rows.ts";

/**
 * POST /api/drops/{slug}/restore: an earlier version's page and context, published once more as the newest. Nothing of the history
 * is lost, and readers see it at once.
 */
export const restoreVersion = tokenOperation(restoreVersionRoute, async (input) => {
  const { caller, path, body, ifMatch, site, nowMs, randomInt, act } = input;
  const requireWritable = (drop: Drop) => {
    requireVersionQuota(drop);
    requireMatch(ifMatch, drop);
  };
  const [found, version] = await Promise.all([
    drops.find(caller.userId, path.slug),
    served.findVersion(path.slug, body.version),
  ]);
  if (found === undefined) throw new ApiError("not_found");
  if (version === undefined) throw noSuchVersion(found, body.version);
  requireWritable(found);
  const [page, context, source] = await Promise.all([
    pages.get(version.pageKey),
    version.hasContext ? pages.getContext(version.pageKey) : undefined,
    version.source && pages.getSource(version.pageKey),
  ]);
  // Somebody has just deleted it.
  if (page === undefined || (version.source && source === undefined))
    throw noSuchVersion(found, body.version);
  // An object of its own: whoever deletes the earlier version must not take the page from this one.
  const stored = {
    ...page,
    key: pageObjectKey(path.slug, createObjectId(randomInt)),
    sha256: version.sha256,
    source: version.source && source && { bytes: source, sha256: version.source.sha256 },
    context: context?.toString(),
    note: body.note || undefined,
  };
  await pages.put(stored); // page first: a row never points at a missing object
  const drop = await drops.change(found, act, (current) => {
    requireWritable(current);
    return addVersion(current, stored, {}, nowMs);
  });
  if (drop === undefined) throw new ApiError("not_found");
  return withEntityTag(ok(presentPublication(site, drop, version), writtenVersion(drop)), drop);
});
