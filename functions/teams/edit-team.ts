import { ApiError } from "../core/errors.ts";
import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { teamRoleOf } from "../policies/access.ts";
import { presentTeam } from "./presenter.ts";
import { editTeamRoute } from "./rows.ts";
import { teams } from "./store.ts";
import { requireOwnTeam } from "./team-access.ts";

/** PATCH /api/teams/{namespace}: sets the metadata key that groups the drops on the team's page. */
export const editTeam = tokenOperation(editTeamRoute, async ({ caller, path, body, site, act }) => {
  const { team, person } = await requireOwnTeam(caller, path.namespace);
  const changed = await teams.setGroupBy(team.userId, body.group_by ?? undefined, act, person);
  if (changed === undefined) throw new ApiError("not_found");
  return ok(presentTeam(site, changed, teamRoleOf(changed.people, person)));
});
