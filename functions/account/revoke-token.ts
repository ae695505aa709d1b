import { ApiError } from "../core/errors.ts";
import { noContent } from "../http/response.ts";
import { requireTeamRole } from "../http/route.ts";
import { patterns } from "../http/schemas.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { findActingRole } from "../people/teams.ts";
import { requireScope } from "../table/token-scope.ts";
import { type Caller, tokens } from "../table/tokens.ts";
import { revokeTokenRoute } from "./rows.ts";

/** DELETE /api/tokens/{id}: revokes a token. To revoke another token, the caller needs the scope `all` and must not be a team's editor. */
export const revokeToken = tokenOperation(revokeTokenRoute, async ({ caller, path, act }) => {
  if (path.id !== caller.token.id) await requireRightToOthers(caller);
  // Checks the id's format first, because an id that is too long for a table key would cause an internal error.
  const isRevoked = patterns.tokenId.test(path.id) && (await tokens.revoke(caller.userId, path.id, act));
  if (!isRevoked) throw new ApiError("not_found");
  return noContent();
});

/** Requires the right to revoke other tokens. @throws ApiError `insufficient_scope`, or `forbidden` for an editor of a team */
async function requireRightToOthers(caller: Caller): Promise<void> {
  const { token } = caller;
  requireScope(token, "all", "revoke other tokens");
  if (token.personId === undefined) return;
  requireTeamRole(await findActingRole(caller, token.personId), { method: "DELETE" });
}
