import { page } from "../html/page.ts";
import { ownTrashPage } from "./own-trash.ts";
import { ownerPage } from "./owner-form.ts";
import { showOwnTrashRoute } from "./page-rows.ts";

/** GET /account/trash: shows an owner's deleted and expired drops, which can be restored. */
export const showOwnTrash = ownerPage(
  showOwnTrashRoute,
  () => ({ page: "trash" }),
  async (input) => page("signed-in", await ownTrashPage(input, input.query)),
);
