import { ok, withEntityTag } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { requirePerson } from "../people/teams.ts";
import { giveDrop } from "./move.ts";
import { presentDrop } from "./presenter.ts";
import { moveDropRoute } from "./rows.ts";

/** POST /api/drops/{slug}/move: moves a drop to a team, or to the caller's own account. */
export const moveDrop = tokenOperation(moveDropRoute, async ({ caller, path, body, ifMatch, site, act }) => {
  const person = await requirePerson(caller);
  const drop = await giveDrop({ slug: path.slug, ownerId: caller.userId, person, to: body.to, ifMatch }, act);
  return withEntityTag(ok(presentDrop(site, drop)), drop);
});
