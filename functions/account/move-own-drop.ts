import { ApiError } from "../core/errors.ts";
import { giveDrop } from "../drops/move.ts";
import { moveDropBody } from "../drops/schemas.ts";
import { validate } from "../http/validation.ts";
import { rerenderOwnDropPage } from "./own-drop.ts";
import { ownerForm } from "./owner-form.ts";
import { moveOwnDropRoute } from "./page-rows.ts";

/** POST /account/drops/{slug}/move: moves an owner's drop to the person's own account or to a team's account. */
export const moveOwnDrop = ownerForm(moveOwnDropRoute, {
  pageOf: ({ path }) => ({ page: "drop", slug: path.slug }),
  read: (fields) => validate(moveDropBody, { to: fields.get("to") ?? "" }),
  change: async ({ owner, signedIn, path, act }, { to }) => {
    const { slug } = path;
    const { reader } = signedIn;
    if (reader.userId === undefined) throw new ApiError("not_found");
    const person = { ...reader, userId: reader.userId };
    await giveDrop({ slug, ownerId: owner.userId, person, to, ifMatch: undefined }, act);
    return { path: "/account?done=moved", wrote: { slug } };
  },
  showAgain: rerenderOwnDropPage("move"),
});
