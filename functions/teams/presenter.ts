import { ownerUrl, type Site } from "../http/site.ts";
import type { Team } from "../people/team.ts";
import { presentReader, type TeamRole } from "../policies/access.ts";
import type { TeamResponse } from "./schemas.ts";

/** Converts a team to its JSON representation. Omits the caller's role if the caller has none. */
export function presentTeam(site: Site, team: Team, role: TeamRole | undefined): TeamResponse {
  const { namespace, people, groupBy, createdAtMs } = team;
  const namesWith = (one: TeamRole) =>
    people
      .filter((entry) => entry.role === one)
      .map(({ rule }) => presentReader(rule))
      .toSorted();
  return {
    namespace,
    url: ownerUrl(site, namespace),
    owners: namesWith("owner"),
    editors: namesWith("editor"),
    ...(role === undefined ? {} : { role }),
    group_by: groupBy ?? null,
    created_at: createdAtMs,
  };
}
