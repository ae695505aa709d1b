import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { accounts, requireAccount } from "../people/accounts.ts";
import { isTeamId } from "../table/identifiers.ts";
import { presentToken } from "./presenter.ts";
import { getMeRoute } from "./rows.ts";
import type { MeResponse } from "./schemas.ts";

/** GET /api/me: responds with the caller's account and token. */
export const getMe = tokenOperation(getMeRoute, async ({ caller }) => {
  const personId = caller.token.personId ?? caller.userId;
  const [account, person] = await Promise.all([requireAccount(caller), accounts.find(personId)]);
  const isTeam = isTeamId(account.userId);
  return ok({
    user_id: account.userId,
    created_at: account.createdAtMs,
    drop_count: account.dropCount,
    token: presentToken(caller.token),
    account: { namespace: account.namespace, kind: isTeam ? "team" : "person" },
    person: person === undefined || isTeamId(personId) ? null : { id: person.userId, name: person.username },
  } satisfies MeResponse);
});
