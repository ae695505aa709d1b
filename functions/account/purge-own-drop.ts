import { ApiError } from "../core/errors.ts";
import { trash } from "../drops/trash-store.ts";
import { ownTrashPage } from "./own-trash.ts";
import { ownerForm } from "./owner-form.ts";
import { purgeOwnDropRoute } from "./page-rows.ts";
import { problemOf } from "./problem.ts";

/** POST /account/trash/{slug}/purge: permanently deletes a drop in an owner's trash, if the checkbox is ticked. */
export const purgeOwnDrop = ownerForm(purgeOwnDropRoute, {
  pageOf: () => ({ page: "trash" }),
  read: (fields) => {
    if (fields.get("confirm") === "yes") return {};
    const message = "To delete the page permanently, tick the box.";
    throw new ApiError("invalid_arg", { message, details: { field: "confirm" } });
  },
  change: async ({ owner, path: { slug }, act }) => {
    // The CSRF token proves that the drop belonged to the owner, so a missing drop was already deleted, for example by a double click.
    await trash.purge(owner.userId, slug, act);
    return { path: "/account/trash?done=purged", wrote: { slug } };
  },
  showAgain: (input, fields, error) => ownTrashPage(input, { problem: problemOf(error, fields) }),
});
