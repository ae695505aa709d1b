import { page } from "../html/page.ts";
import { showOwnFilesRoute } from "./file-rows.ts";
import { ownFilesPage } from "./own-files.ts";
import { ownerPage } from "./owner-form.ts";

/** GET /account/files: shows an owner's files, and the upload form. */
export const showOwnFiles = ownerPage(
  showOwnFilesRoute,
  () => ({ page: "files" }),
  async (input) => page("signed-in", await ownFilesPage(input, input.query)),
);
