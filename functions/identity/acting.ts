import { formProofs } from "../http/form-proof.ts";
import { findTeamsOf } from "../people/teams.ts";
import type { SignedIn } from "./signed-in-page.ts";

/** Path of the form by which a person chooses whom they publish as. */
export const switchPath = "/account/switch";

/**
 * Reads the teams of a signed-in person at this moment. People who have left the team of their session act for themselves again.
 * People without a team stay as they are.
 */
export async function withActing(signedIn: SignedIn): Promise<SignedIn> {
  const { session, reader } = signedIn;
  const teams = reader.isMember ? await findTeamsOf(reader) : [];
  if (teams.length === 0 && session.team === undefined) return signedIn;
  const team = teams.find(({ userId }) => userId === session.team?.userId);
  const leftTeam = team === undefined ? session.team?.namespace : undefined;
  const teamIds = new Set(teams.map(({ userId }) => userId));
  const proof = (await formProofs(session.reference))(switchPath);
  return { ...signedIn, reader: { ...reader, teamIds }, acting: { teams, team, leftTeam, proof } };
}
