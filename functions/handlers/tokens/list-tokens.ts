import { listTokensRoute } from "../../contract/account-routes.ts";
import { ok } from "../../http/answer.ts";
import { presentToken } from "../../http/present-token.ts";
import { tokenOperation } from "../../http/token-operation.ts";
import { tokens } from "../../store/tokens.ts";

/** GET /api/tokens: the caller's tokens, oldest first. */
export const listTokens = tokenOperation(listTokensRoute, async ({ caller }) => {
  const found = await tokens.list(caller.userId);
  return ok({ tokens: found.map(presentToken) });
});
