import { ApiError } from "../core/errors.ts";
import { trash } from "../drops/trash-store.ts";
import { accountText } from "./account-text.ts";
import { ownTrashPage } from "./own-trash.ts";
import { ownerForm } from "./owner-form.ts";
import { purgeOwnDropRoute } from "./page-rows.ts";
import { problemOf } from "./problem.ts";

/** POST /account/trash/{slug}/purge: a drop in an owner's trash is deleted for good, once a box was ticked. */
export const purgeOwnDrop = ownerForm(purgeOwnDropRoute, {
  pageOf: () => ({ page: "trash" }),
  read: (fields) => {
    if (fields.get("confirm") === "yes") return {};
    const message = accountText.problems.confirmPurge;
    throw new ApiError("invalid_arg", { message, details: { field: "confirm" } });
  },
  change: async ({ owner, path: { slug }, act }) => {
    // By the form's proof it was theirs: if it is missing, it is deleted already, perhaps by the first of two presses.
    await trash.purge(owner.userId, slug, act);
    return { path: "/account/trash?done=purged", wrote: { slug } };
  },
  showAgain: (input, fields, error) => ownTrashPage(input, { problem: problemOf(error, fields) }),
});
