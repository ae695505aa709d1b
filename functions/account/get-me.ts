import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { requireAccount } from "../people/accounts.ts";
import { presentToken } from "./presenter.ts";
import { getMeRoute } from "./rows.ts";
import type { MeResponse } from "./schemas.ts";

/** GET /api/me: the caller's account, and the token of the call. */
export const getMe = tokenOperation(getMeRoute, async ({ caller }) => {
  const account = await requireAccount(caller);
  return ok({
    user_id: account.userId,
    created_at: account.createdAtMs,
    drop_count: account.dropCount,
    token: presentToken(caller.token),
  } satisfies MeResponse);
});
