import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { tokens } from "../table/tokens.ts";
import { presentToken } from "./presenter.ts";
import { listTokensRoute } from "./rows.ts";

/** GET /api/tokens: lists the caller's tokens, oldest first. */
export const listTokens = tokenOperation(listTokensRoute, async ({ caller }) => {
  const found = await tokens.list(caller.userId);
  return ok({ tokens: found.map(presentToken) });
});
