import type { Route } from "../http/route.ts";
import { tokens } from "../table/tokens.ts";
import type { Done } from "./list-page.ts";
import { mayUse, type OwnerInput, ownerProofs, type RenderPage } from "./owner-form.ts";
import { revokeOwnTokenRoute } from "./page-rows.ts";
import type { Problem } from "./problem.ts";
import { renderTokensPage } from "./tokens-page.tsx";

/** The page of an owner's tokens, newest first. */
export async function ownTokensPage(
  { owner, signedIn, nowMs }: Pick<OwnerInput<Route>, "nowMs" | "owner" | "signedIn">,
  state: { readonly problem?: Problem; readonly done?: Done | undefined },
): Promise<RenderPage> {
  const [found, proofOf] = await Promise.all([tokens.list(owner.userId), ownerProofs({ signedIn, owner })]);
  const mayRevoke = mayUse(owner, revokeOwnTokenRoute);
  return (nonce) =>
    renderTokensPage({ signedIn, tokens: found.toReversed(), proofOf, mayRevoke, nowMs, nonce, ...state });
}
