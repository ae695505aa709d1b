import type { Route } from "../http/route.ts";
import { userIdOf } from "../people/accounts.ts";
import type { Token } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { getItems } from "../table/table.ts";
import { tokens } from "../table/tokens.ts";
import type { PageState } from "./account-layout.tsx";
import { mayUse, type OwnerInput, ownerProofs, type RenderPage } from "./owner-form.ts";
import { revokeOwnTokenRoute } from "./page-rows.ts";
import { renderTokensPage, type TokenHolders } from "./tokens-page.tsx";

/** Reads an owner's tokens, newest first, and returns the page's renderer. */
export async function ownTokensPage(
  { owner, signedIn, nowMs }: Pick<OwnerInput<Route>, "nowMs" | "owner" | "signedIn">,
  state: PageState,
): Promise<RenderPage> {
  const [found, proofOf] = await Promise.all([tokens.list(owner.userId), ownerProofs({ signedIn, owner })]);
  const mayRevoke = mayUse(owner, revokeOwnTokenRoute);
  const holders = owner.role === undefined ? undefined : await findHolders(found);
  const facts = { signedIn, tokens: found.toReversed(), holders, proofOf, mayRevoke, nowMs };
  return (nonce) => renderTokensPage({ ...facts, nonce, ...state });
}

/** Finds the user names of the people who created a team's tokens. Returns a map from user id to name. */
async function findHolders(found: readonly Token[]): Promise<TokenHolders> {
  const ids = new Set(found.flatMap(({ personId }) => personId ?? []));
  const items = await getItems([...ids].map(keys.account));
  return new Map(items.map((item) => [userIdOf(item), item.username as string]));
}
