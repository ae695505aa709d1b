import { ApiError } from "../../contract/api-error.ts";
import { publishVersionRoute } from "../../contract/drop-routes.ts";
import { addVersion, type Drop } from "../../domain/drop.ts";
import { createObjectId } from "../../domain/identifiers.ts";
import { toStoredPage } from "../../domain/page-content.ts";
import { ok } from "../../http/answer.ts";
import { requireMatch, withEntityTag } from "../../http/if-match.ts";
import { presentDrop, writtenVersion } from "../../http/present-drop.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { requireVersionRoom } from "../../http/version-room.ts";
import { drops } from "../../store/drops.ts";
import { pages } from "../../store/pages.ts";

/** PUT /api/drops/{slug}: a new version; the URL stays. Title, description and metadata may come along. */
export const publishVersion = tokenOperation(publishVersionRoute, async (input) => {
  const { caller, path, body, ifMatch, site, nowMs, randomInt, act } = input;
  // RFC 9110, section 13.2.1: a precondition counts where the request would succeed without it.
  const requireWritable = (drop: Drop) => {
    requireVersionRoom(drop);
    requireMatch(ifMatch, drop);
  };
  const found = await drops.find(caller.userId, path.slug);
  if (found === undefined) throw new ApiError("not_found");
  requireWritable(found);
  const page = toStoredPage(path.slug, createObjectId(randomInt), body);
  await pages.put(page); // page first: a row never points at a missing object
  const drop = await drops.change(found, act, (current) => {
    requireWritable(current);
    return addVersion(current, page, body, nowMs);
  });
  if (drop === undefined) throw new ApiError("not_found");
  return withEntityTag(ok(presentDrop(site, drop), writtenVersion(drop)), drop);
});
