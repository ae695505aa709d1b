import { page } from "../html/page.ts";
import { redirect } from "../http/response.ts";
import { ownTeamPage } from "./own-team.ts";
import { ownerPage } from "./owner-form.ts";
import { showOwnTeamRoute } from "./team-rows.ts";

/** GET /account/team: shows the members of the chosen team. If no team is chosen, redirects to the person's own pages. */
export const showOwnTeam = ownerPage(
  showOwnTeamRoute,
  () => ({ page: "team" }),
  async (input) => {
    const { owner, site, query } = input;
    if (owner.role === undefined) return redirect(`${site.baseUrl}/account`);
    return page("signed-in", await ownTeamPage(input, query));
  },
);
