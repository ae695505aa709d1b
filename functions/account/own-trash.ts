import { trash } from "../drops/trash-store.ts";
import type { Route } from "../http/route.ts";
import type { PageState } from "./account-layout.tsx";
import { listPage } from "./list-page.ts";
import { mayUse, type OwnerInput, ownerProofs, type RenderPage } from "./owner-form.ts";
import { purgeOwnDropRoute } from "./page-rows.ts";
import { renderTrashPage } from "./trash-page.tsx";

/** Reads an owner's trash, most recently deleted first, and returns the page's renderer. */
export async function ownTrashPage(
  { owner, signedIn }: Pick<OwnerInput<Route>, "owner" | "signedIn">,
  { page = 1, ...state }: PageState & { readonly page?: number },
): Promise<RenderPage> {
  const [all, proofOf] = await Promise.all([trash.list(owner.userId), ownerProofs({ signedIn, owner })]);
  const mayDelete = mayUse(owner, purgeOwnDropRoute);
  return (nonce) =>
    renderTrashPage({ signedIn, drops: listPage(all, page), proofOf, mayDelete, nonce, ...state });
}
