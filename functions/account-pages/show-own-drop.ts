import { page } from "../platform/page-operation.ts";
import { ownDropPage } from "./own-drop.ts";
import { ownerPage } from "./owner.ts";
import { showOwnDropRoute } from "./rows.ts";

/** GET /account/drops/{slug}: a drop of an owner's, and the forms that change it. */
export const showOwnDrop = ownerPage(
  showOwnDropRoute,
  ({ path }) => ({ page: "drop", slug: path.slug }),
  async (input) => page("sign-in", await ownDropPage(input, { done: input.query.done })),
);
