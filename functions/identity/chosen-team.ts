import { ApiError } from "../core/errors.ts";
import { findTeamsOf, type TeamOfPerson } from "../people/teams.ts";
import type { ReaderRights } from "../policies/access.ts";

/**
 * Finds the team that a person has chosen to publish for. Returns undefined if the person chose their own account.
 *
 * @param chosen value of the `AccountChoice` field: a team's namespace, or an empty string for the person's own account
 * @throws ApiError `invalid_arg` for a team that the person may not publish for
 */
export async function findChosenTeam(
  person: ReaderRights,
  chosen: string | null,
): Promise<TeamOfPerson | undefined> {
  if (chosen === "") return undefined;
  const team = (await findTeamsOf(person)).find(({ namespace }) => namespace === chosen);
  if (team === undefined)
    throw new ApiError("invalid_arg", {
      message:
        "Choose your own account or one of your teams. You may no longer be in the team that you chose.",
    });
  return team;
}
