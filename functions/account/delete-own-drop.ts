import { ApiError } from "../core/errors.ts";
import { trashDays } from "../drops/items.ts";
import { deleteOwnedDrop } from "../drops/owned-drops.ts";
import { parseFormRevision, revisionField } from "./form-revision.ts";
import { rerenderOwnDropPage } from "./own-drop.ts";
import { ownerForm, selectAccount } from "./owner-form.ts";
import { deleteOwnDropRoute } from "./page-rows.ts";

/** POST /account/drops/{slug}/delete: deletes an owner's drop. If the service has no trash, the owner must type the slug. */
export const deleteOwnDrop = ownerForm(deleteOwnDropRoute, {
  pageOf: ({ path }) => ({ page: "drop", slug: path.slug }),
  read: (fields) => ({
    seen: parseFormRevision(fields.get(revisionField)),
    confirmed: fields.get("confirm")?.trim() ?? "",
  }),
  change: async ({ owner, signedIn, path, act }, { seen, confirmed }) => {
    const { slug } = path;
    const isFinal = trashDays() === 0;
    if (isFinal && confirmed !== slug) {
      const message = `To delete the page, type ${slug}.`;
      throw new ApiError("invalid_arg", { message, details: { field: "confirm" } });
    }
    const owned = { ownerId: owner.userId, slug, ifMatch: [seen.tag] };
    await deleteOwnedDrop(owned, act).catch((error) => {
      // The CSRF token proves that the drop belonged to the owner, so a missing drop was already deleted, for example by a double click.
      if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
    });
    // Selects the account that owned the drop, so that the next page lists this account's drops.
    if (signedIn.acting?.dropOwner !== undefined) await selectAccount(signedIn, owner, act);
    return { path: `/account?done=${isFinal ? "deleted" : "trashed"}`, wrote: { slug } };
  },
  showAgain: rerenderOwnDropPage("delete"),
});
