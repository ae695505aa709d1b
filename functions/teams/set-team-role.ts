import { ApiError } from "../core/errors.ts";
import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { teamRoleOf } from "../policies/access.ts";
import { presentTeam } from "./presenter.ts";
import { setTeamRoleRoute } from "./rows.ts";
import { teams } from "./store.ts";
import { requireOwnTeam } from "./team-access.ts";
import { requireRule } from "./team-rule.ts";

/** PUT /api/teams/{namespace}/members/{reader}: adds a person, domain or group to a team, or changes the role of an existing entry. */
export const setTeamRole = tokenOperation(setTeamRoleRoute, async ({ caller, path, body, site, act }) => {
  const rule = requireRule(path.reader);
  const { team, person } = await requireOwnTeam(caller, path.namespace);
  const changed = await teams.setRole(team.userId, rule, body.role, act, person);
  if (changed === undefined) throw new ApiError("not_found");
  return ok(presentTeam(site, changed, teamRoleOf(changed.people, person)));
});
