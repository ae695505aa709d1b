import { accountField } from "../html/account-choice.tsx";
import { requireFormProof } from "../http/form-proof.ts";
import { parseForm } from "../http/request.ts";
import { seeOther } from "../http/response.ts";
import { requireOwnPage } from "../http/site.ts";
import { findChosenTeam } from "../identity/chosen-team.ts";
import { parseDestination, signInPath } from "../identity/destination.ts";
import { readerSessions } from "../identity/readers.ts";
import { sessionOperation } from "../identity/signed-in-page.ts";
import { switchAccountRoute } from "./team-rows.ts";

/** POST /account/switch: sets the account that the pages at /account show in this browser: the person's own or a team's. */
export const switchAccount = sessionOperation(switchAccountRoute, async (input) => {
  const { body, request, site, signedIn, act } = input;
  requireOwnPage(request, site);
  const form = parseForm(body);
  const destination = parseDestination(form.get("to") ?? "") ?? "/account";
  if (signedIn === undefined) return seeOther(site.baseUrl + signInPath(destination));
  const { session, reader } = signedIn;
  await requireFormProof(session.reference, request.path, form);
  const team = await findChosenTeam(reader, form.get(accountField));
  await readerSessions.selectTeam(session, team, act);
  return seeOther(site.baseUrl + destination);
});
