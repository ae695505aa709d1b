import { ok, withEntityTag } from "../http/response.ts";
import { refundInvalid, tokenOperation } from "../http/token-operation.ts";
import { withWarnings } from "../http/warnings.ts";
import { changeWarnings } from "./drop.ts";
import { editOwnedDrop } from "./owned-drops.ts";
import { presentDrop } from "./presenter.ts";
import { editDropRoute } from "./rows.ts";

/** PATCH /api/drops/{slug}: title, description, metadata, who may read it, and whether search engines list it; no new version. */
export const editDrop = tokenOperation(editDropRoute, async (input) => {
  const { caller, path, body, ifMatch, site, act } = input;
  const owned = { ownerId: caller.userId, slug: path.slug, ifMatch };
  // Whether readers can be named, or search engines let in, depends on the drop.
  const applied = await editOwnedDrop(owned, body, act).catch((error) => refundInvalid(error, caller));
  const response = withEntityTag(ok(presentDrop(site, applied.drop)), applied.drop);
  return withWarnings(response, changeWarnings(applied, body));
});
