import { ApiError } from "../core/errors.ts";
import { deleteOwnedVersion } from "../drops/version-removal.ts";
import { pagePath } from "../identity/destination.ts";
import { rerenderOwnDropPage } from "./own-drop.ts";
import { ownerForm, readVersionNumber } from "./owner-form.ts";
import { deleteOwnVersionRoute } from "./page-rows.ts";

/** POST /account/drops/{slug}/versions: permanently deletes a version of an owner's drop. A drop's only version cannot be deleted. */
export const deleteOwnVersion = ownerForm(deleteOwnVersionRoute, {
  pageOf: ({ path }) => ({ page: "drop", slug: path.slug }),
  read: (fields) => ({ version: readVersionNumber(fields) }),
  change: async ({ owner, path, act }, { version }) => {
    const { slug } = path;
    await deleteOwnedVersion({ ownerId: owner.userId, slug, version }, act).catch((error) => {
      // Version numbers are never reused, so a missing version was already deleted, alone or with the drop.
      if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
    });
    return { path: `${pagePath({ page: "drop", slug })}?done=version-deleted`, wrote: { slug, version } };
  },
  showAgain: rerenderOwnDropPage("version"),
});
