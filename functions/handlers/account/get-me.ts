import { getMeRoute } from "../../contract/account-routes.ts";
import type { MeAnswer } from "../../contract/answers.ts";
import { ok } from "../../http/answer.ts";
import { requireAccount } from "../../http/caller-account.ts";
import { presentToken } from "../../http/present-token.ts";
import { tokenOperation } from "../../http/token-operation.ts";

/** GET /api/me: the caller's account, and the token that called. */
export const getMe = tokenOperation(getMeRoute, async ({ caller }) => {
  const account = await requireAccount(caller);
  return ok({
    user_id: account.userId,
    created_at: account.createdAtMs,
    drop_count: account.dropCount,
    token: presentToken(caller.token),
  } satisfies MeAnswer);
});
