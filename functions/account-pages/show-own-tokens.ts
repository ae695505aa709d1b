import { page } from "../platform/page-operation.ts";
import { ownTokensPage } from "./own-tokens.ts";
import { ownerPage } from "./owner.ts";
import { showOwnTokensRoute } from "./rows.ts";

/** GET /account/tokens: what publishes in an owner's name. */
export const showOwnTokens = ownerPage(
  showOwnTokensRoute,
  () => ({ page: "tokens" }),
  async (input) => page("sign-in", await ownTokensPage(input, { done: input.query.done })),
);
