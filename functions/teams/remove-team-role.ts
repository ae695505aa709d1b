import { ApiError } from "../core/errors.ts";
import { noContent } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { removeTeamRoleRoute } from "./rows.ts";
import { teams } from "./store.ts";
import { requireOwnTeam } from "./team-access.ts";
import { requireRule } from "./team-rule.ts";

/**
 * DELETE /api/teams/{namespace}/members/{reader}: removes a person, domain or group from a team. The tokens of people who are no longer
 * members stop working for the team immediately.
 */
export const removeTeamRole = tokenOperation(removeTeamRoleRoute, async ({ caller, path, act }) => {
  const rule = requireRule(path.reader);
  const { team, person } = await requireOwnTeam(caller, path.namespace);
  const changed = await teams.setRole(team.userId, rule, undefined, act, person);
  if (changed === undefined) throw new ApiError("not_found");
  return noContent();
});
