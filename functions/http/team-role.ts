import { ApiError } from "../core/errors.ts";
import type { TeamRole } from "../policies/access.ts";
import type { Route } from "./route.ts";

/** Returns the role that a person needs to call an operation for a team. */
export function neededTeamRole({ method, teamRole }: Pick<Route, "method" | "teamRole">): TeamRole {
  return teamRole ?? (method === "DELETE" ? "owner" : "editor");
}

/**
 * Refuses a team editor's call of an operation that only the team's owners may call.
 *
 * @throws ApiError `forbidden`
 */
export function requireTeamRole(role: TeamRole, route: Pick<Route, "method" | "teamRole">): void {
  if (role !== "editor" || neededTeamRole(route) === "editor") return;
  throw new ApiError("forbidden", {
    message:
      "Only an owner of this team may do this. Editors can publish and edit. Owners can also delete, and manage people and tokens.",
    details: { reason: "not_team_owner" },
  });
}
