import { formProofs } from "../platform/form-proof.ts";
import type { OperationInput } from "../platform/operation.ts";
import type { Route } from "../platform/route.ts";
import { tokens } from "../platform/token-store.ts";
import type { OwnerInput } from "./owner.ts";
import type { RenderPage } from "./owner-form.ts";
import type { Problem } from "./problem.ts";
import type { Done } from "./queries.ts";
import { renderTokensPage } from "./tokens-page.tsx";

/** The page of an owner's tokens, newest first. */
export async function ownTokensPage(
  {
    owner,
    signedIn,
    nowMs,
  }: Pick<OwnerInput<Route>, "owner" | "signedIn"> & Pick<OperationInput<Route>, "nowMs">,
  state: { readonly problem?: Problem; readonly done?: Done | undefined },
): Promise<RenderPage> {
  const [found, proofOf] = await Promise.all([
    tokens.list(owner.userId),
    formProofs(signedIn.session.reference),
  ]);
  return (nonce) =>
    renderTokensPage({ signedIn, tokens: found.toReversed(), proofOf, nowMs, nonce, ...state });
}
