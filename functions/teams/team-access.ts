import { ApiError } from "../core/errors.ts";
import { requireTeamRole } from "../http/route.ts";
import { findAccountReader } from "../people/find-reader.ts";
import { findTeamByNamespace } from "../people/teams.ts";
import { teamRoleOf } from "../policies/access.ts";
import { isTeamId } from "../table/identifiers.ts";
import type { Caller } from "../table/tokens.ts";

/**
 * Finds a team that the caller may publish for, the caller's role in it, and the person to whom the token belongs. For a service token of
 * the team, returns no role and the team itself as the person. A token for one team gives no access to another team, even if the person is
 * a member of both.
 *
 * @throws ApiError `not_found` for missing teams, and for teams that the caller may not publish for
 */
export async function requireTeam({ token, userId }: Caller, namespace: string) {
  const [team, person] = await Promise.all([
    findTeamByNamespace(namespace),
    findAccountReader(token.personId ?? userId),
  ]);
  const role = team && person && teamRoleOf(team.people, person);
  const isOfOther = isTeamId(userId) && userId !== team?.userId;
  const isServiceToken = token.personId === undefined && userId === team?.userId;
  if (team && person && !isOfOther && (role !== undefined || isServiceToken)) return { team, role, person };
  throw new ApiError("not_found", {
    message: `There is no team ${JSON.stringify(namespace)} that this token may act for. GET /api/teams lists your teams. A token for one team cannot act for another.`,
  });
}

/** Finds a team that the caller owns. @throws ApiError `not_found`; `forbidden` for editors and service tokens of the team */
export async function requireOwnTeam(caller: Caller, namespace: string) {
  const access = await requireTeam(caller, namespace);
  requireTeamRole(access.role ?? "editor", { method: "PUT", teamRole: "owner" });
  return access;
}
