import { ApiError } from "../core/errors.ts";
import type { Route } from "../http/route.ts";
import { ownerUrl } from "../http/site.ts";
import { findTeam } from "../people/teams.ts";
import type { Done } from "./list-page.ts";
import { mayUse, type OwnerInput, ownerProofs, type RenderPage } from "./owner-form.ts";
import { renderTeamPage, type SentTeamForm } from "./team-page.tsx";
import { editOwnTeamRoute } from "./team-rows.ts";

/** Reads the team that a person publishes for, and returns the page's renderer. @throws ApiError `not_found` without a team */
export async function ownTeamPage(
  { owner, signedIn, site }: Pick<OwnerInput<Route>, "owner" | "signedIn" | "site">,
  state: { readonly sent?: SentTeamForm; readonly done?: Done | undefined },
): Promise<RenderPage> {
  const [team, proofOf] = await Promise.all([findTeam(owner.userId), ownerProofs({ signedIn, owner })]);
  if (team === undefined) throw new ApiError("not_found");
  const facts = {
    signedIn,
    team,
    ownerUrl: ownerUrl(site, team.namespace),
    mayEdit: mayUse(owner, editOwnTeamRoute),
    proofOf,
  };
  return (nonce) => renderTeamPage({ ...facts, ...state, nonce });
}
