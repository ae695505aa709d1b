import { ok, withEntityTag } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { withWarnings } from "../http/warnings.ts";
import { changeWarnings } from "./drop.ts";
import { editOwnedDrop } from "./owned-drops.ts";
import { presentDrop } from "./presenter.ts";
import { editDropRoute } from "./rows.ts";

/** PATCH /api/drops/{slug}: changes title, description, metadata, readers, expiry and indexing, without a new version. */
export const editDrop = tokenOperation(editDropRoute, async (input) => {
  const { caller, path, body, ifMatch, site, act } = input;
  const owned = { ownerId: caller.userId, slug: path.slug, ifMatch, token: caller.token };
  const applied = await editOwnedDrop(owned, body, act);
  const response = withEntityTag(ok(presentDrop(site, applied.drop)), applied.drop);
  return withWarnings(response, changeWarnings(applied, body));
});
