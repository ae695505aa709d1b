import { accessRequests } from "../access-requests/store.ts";
import { ApiError } from "../core/errors.ts";
import { addOwnedReader } from "../drops/owned-drops.ts";
import type { OwnedDrop } from "../drops/reader-writes.ts";
import { pagePath } from "../identity/destination.ts";
import { toReaderRule } from "../policies/access.ts";
import type { Act } from "../table/audit.ts";
import { accountText } from "./account-text.ts";
import { rerenderOwnDropPage } from "./own-drop.ts";
import { ownerForm } from "./owner-form.ts";
import { answerAccessRequestRoute } from "./page-rows.ts";

/** POST /account/drops/{slug}/access: adds the person of a request to the drop's readers, or dismisses the request. */
export const answerAccessRequest = ownerForm(answerAccessRequestRoute, {
  pageOf: ({ path }) => ({ page: "drop", slug: path.slug }),
  read: (fields) => {
    const [give, dismiss] = [fields.get("give"), fields.get("dismiss")];
    const id = give ?? dismiss;
    if (id === null) throw new ApiError("invalid_arg", { details: { field: "give" } });
    return { id, isGiven: give !== null };
  },
  change: async ({ owner, path: { slug }, act }, { id, isGiven }) => {
    const drop = { ownerId: owner.userId, slug };
    if (isGiven) await give(drop, id, act);
    // A form that is sent twice dismisses once.
    else await accessRequests.remove(drop, id, act);
    const query = `?done=${isGiven ? "access-given" : "access-dismissed"}`;
    return { path: pagePath({ page: "drop", slug, query }), wrote: { slug } };
  },
  showAgain: rerenderOwnDropPage("access"),
});

/** Adds the person of a request to the drop's readers. The request of a form that is sent twice is gone, and its person a reader. */
async function give(drop: OwnedDrop, id: string, act: Act): Promise<void> {
  const request = await accessRequests.find(drop.slug, id, act.atMs);
  if (request === undefined) throw new ApiError("invalid_arg", { message: accountText.access.gone });
  await addOwnedReader(drop, toReaderRule(request.reader), act);
  await accessRequests.remove(drop, id, undefined).catch((error: unknown) => {
    // On legal hold it stays stored. No list shows it, because its person is a reader.
    if (!(error instanceof ApiError) || error.code !== "forbidden") throw error;
  });
}
