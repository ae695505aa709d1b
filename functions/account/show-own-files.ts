import { page } from "../http/page-operation.ts";
import { showOwnFilesRoute } from "./file-rows.ts";
import { ownFilesPage } from "./own-files.ts";
import { ownerPage } from "./owner-form.ts";

/** GET /account/files: an owner's files, for the owner, and the form that uploads one. */
export const showOwnFiles = ownerPage(
  showOwnFilesRoute,
  () => ({ page: "files" }),
  async (input) => page("signed-in", await ownFilesPage(input, input.query)),
);
