import { ok } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { presentTeam } from "./presenter.ts";
import { getTeamRoute } from "./rows.ts";
import { requireTeam } from "./team-access.ts";

/** GET /api/teams/{namespace}: responds with a team that the caller may publish for. */
export const getTeam = tokenOperation(getTeamRoute, async ({ caller, path, site }) => {
  const { team, role } = await requireTeam(caller, path.namespace);
  return ok(presentTeam(site, team, role));
});
