import { ApiError } from "../core/errors.ts";
import { requireTeamRole } from "../http/team-role.ts";
import { findAccountReader, type Reader } from "../people/find-reader.ts";
import type { Team } from "../people/team.ts";
import { findTeamByNamespace } from "../people/teams.ts";
import { type TeamRole, teamRoleOf } from "../policies/access.ts";
import { isTeamId } from "../table/identifiers.ts";
import type { Caller } from "../table/tokens.ts";

/** A team, and the caller's role in it. */
export interface TeamAccess {
  readonly team: Team;
  /** Role of the caller. @default - the team's own service token, which has no role but may read the team */
  readonly role: TeamRole | undefined;
  /** Person to whom the token belongs. For a service token, the team itself. */
  readonly person: Reader;
}

/**
 * Finds a team that the caller may act for. A token for one team gives no access to another team, even if the person is a member of both.
 *
 * @throws ApiError `not_found` for teams that the caller may not act for, and for missing teams
 */
export async function requireTeam({ token, userId }: Caller, namespace: string): Promise<TeamAccess> {
  const [team, person] = await Promise.all([
    findTeamByNamespace(namespace),
    findAccountReader(token.personId ?? userId),
  ]);
  const role = team && person && teamRoleOf(team.people, person);
  const isOfOther = isTeamId(userId) && userId !== team?.userId;
  if (team && person && !isOfOther && (role !== undefined || isServiceTokenOf(team)))
    return { team, role, person };
  throw new ApiError("not_found", {
    message: `There is no team ${JSON.stringify(namespace)} that this token may act for. GET /api/teams lists your teams. A token for one team cannot act for another.`,
  });

  function isServiceTokenOf(one: Team): boolean {
    return token.personId === undefined && userId === one.userId;
  }
}

/**
 * Finds a team that the caller owns.
 *
 * @throws ApiError `not_found` like `requireTeam`; `forbidden` for editors and service tokens of the team
 */
export async function requireOwnTeam(caller: Caller, namespace: string): Promise<TeamAccess> {
  const access = await requireTeam(caller, namespace);
  requireTeamRole(access.role ?? "editor", { method: "PUT", teamRole: "owner" });
  return access;
}
