import { ok } from "../http/response.ts";
import { ownerUrl } from "../http/site.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { findTeamsOf, requirePerson } from "../people/teams.ts";
import { listTeamsRoute } from "./rows.ts";
import type { TeamListResponse } from "./schemas.ts";

/** GET /api/teams: lists the teams of the token's person, sorted by name. */
export const listTeams = tokenOperation(listTeamsRoute, async ({ caller, site }) => {
  const found = await findTeamsOf(await requirePerson(caller));
  return ok({
    teams: found.map(({ namespace, role }) => ({ namespace, url: ownerUrl(site, namespace), role })),
  } satisfies TeamListResponse);
});
