import { undeleteOwnedDrop } from "../drops/owned-drops.ts";
import { ownTrashPage } from "./own-trash.ts";
import { ownerForm } from "./owner-form.ts";
import { undeleteOwnDropRoute } from "./page-rows.ts";
import { problemOf } from "./problem.ts";

/** POST /account/trash/{slug}/undelete: restores an owner's drop from the trash. */
export const undeleteOwnDrop = ownerForm(undeleteOwnDropRoute, {
  pageOf: () => ({ page: "trash" }),
  read: () => ({}),
  change: async ({ owner, path: { slug }, act }) => {
    await undeleteOwnedDrop({ ownerId: owner.userId, slug }, {}, act);
    return { path: `/account/drops/${slug}?done=undeleted`, wrote: { slug } };
  },
  showAgain: (input, fields, error) => ownTrashPage(input, { problem: problemOf(error, fields) }),
});
