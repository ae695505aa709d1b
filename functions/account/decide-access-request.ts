import { pagePath } from "../identity/destination.ts";
import { decideAccess, readDecision } from "./access-decision.ts";
import { rerenderOwnDropPage } from "./own-drop.ts";
import { ownerForm } from "./owner-form.ts";
import { decideAccessRequestRoute } from "./page-rows.ts";

/** POST /account/drops/{slug}/access: adds the requester to the drop's readers, or dismisses the request. */
export const decideAccessRequest = ownerForm(decideAccessRequestRoute, {
  pageOf: ({ path }) => ({ page: "drop", slug: path.slug }),
  read: readDecision,
  change: async ({ owner, path: { slug }, act }, decision) => {
    const done = await decideAccess({ ownerId: owner.userId, slug }, decision, act);
    return { path: pagePath({ page: "drop", slug, query: `?done=${done}` }), wrote: { slug } };
  },
  showAgain: rerenderOwnDropPage("access"),
});
