import { accessRequests } from "../access-requests/store.ts";
import { ApiError } from "../core/errors.ts";
import { addOwnedReader } from "../drops/owned-drops.ts";
import { publicDrops } from "../drops/public-drops.ts";
import type { OwnedDrop } from "../drops/reader-writes.ts";
import { pagePath } from "../identity/destination.ts";
import { isAccessWanted, toReaderRule } from "../policies/access.ts";
import type { Act } from "../table/audit.ts";
import { splitGiveValue } from "./access-requests-part.tsx";
import { accountText } from "./account-text.ts";
import { rerenderOwnDropPage } from "./own-drop.ts";
import { ownerForm } from "./owner-form.ts";
import { decideAccessRequestRoute } from "./page-rows.ts";

/** POST /account/drops/{slug}/access: adds the person of a request to the drop's readers, or dismisses the request. */
export const decideAccessRequest = ownerForm(decideAccessRequestRoute, {
  pageOf: ({ path }) => ({ page: "drop", slug: path.slug }),
  read: (fields) => {
    const [give, dismiss] = [fields.get("give"), fields.get("dismiss")];
    if (give === null && dismiss === null) throw new ApiError("invalid_arg", { details: { field: "give" } });
    return { give, dismiss: dismiss ?? "" };
  },
  change: async ({ owner, path: { slug }, act }, decision) => {
    const drop = { ownerId: owner.userId, slug };
    if (decision.give !== null) await give(drop, decision.give, act);
    // A form that is sent twice dismisses once.
    else await accessRequests.remove(drop, decision.dismiss, act);
    const query = `?done=${decision.give === null ? "access-dismissed" : "access-given"}`;
    return { path: pagePath({ page: "drop", slug, query }), wrote: { slug } };
  },
  showAgain: rerenderOwnDropPage("access"),
});

/**
 * Adds the person of a request to the drop's readers, and removes the request. A form that is sent twice adds them once.
 *
 * @param value of the button, by `giveValue`
 */
async function give(drop: OwnedDrop, value: string, act: Act): Promise<void> {
  const [id = "", shownReader = ""] = splitGiveValue(value);
  const open = await accessRequests.findForRemoval(drop, id, act.atMs);
  if (open !== undefined) {
    await addOwnedReader(drop, toReaderRule(open.request.reader), act, open.removal);
    return;
  }
  const { visibility } = await publicDrops.requireDrop(drop.ownerId, drop.slug, act.atMs);
  if (isAccessWanted({ visibility }, shownReader))
    throw new ApiError("invalid_arg", { message: accountText.access.gone });
}
