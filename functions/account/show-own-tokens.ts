import { page } from "../html/page.ts";
import { ownTokensPage } from "./own-tokens.ts";
import { ownerPage } from "./owner-form.ts";
import { showOwnTokensRoute } from "./page-rows.ts";

/** GET /account/tokens: shows an account's tokens. */
export const showOwnTokens = ownerPage(
  showOwnTokensRoute,
  () => ({ page: "tokens" }),
  async (input) => page("signed-in", await ownTokensPage(input, { done: input.query.done })),
);
