import { ApiError } from "../core/errors.ts";
import { accountField } from "../html/account-choice.tsx";
import { requireFormProof } from "../http/form-proof.ts";
import type { OperationInput } from "../http/operation.ts";
import { parseForm } from "../http/request.ts";
import { type HttpResponse, seeOther } from "../http/response.ts";
import { requireOwnPage } from "../http/site.ts";
import { accountDeactivated, admit, storeIdentity } from "../identity/admission.ts";
import { findChosenTeam } from "../identity/chosen-team.ts";
import { pagePath, signInPath } from "../identity/destination.ts";
import { membersOnly } from "../identity/not-a-member.tsx";
import { sessionOperation } from "../identity/signed-in-page.ts";
import { requireTokenQuota } from "../identity/token-quota.ts";
import { accounts, type Identity } from "../people/accounts.ts";
import type { TeamOfPerson } from "../people/teams.ts";
import { refusal } from "../table/suspension.ts";
import { type AuthorizationRequest, refusalUrl, returnUrl } from "./authorization-request.ts";
import {
  authorizationEnded,
  authorizationRequests,
  findPendingAuthorization,
} from "./authorization-store.ts";
import { consentPath } from "./consent-page.tsx";
import { OAuthError } from "./oauth-error.ts";
import { decideConsentRoute } from "./rows.ts";

type Input = OperationInput<typeof decideConsentRoute>;

/** POST /oauth/authorize: stores a person's decision about a client, and redirects the browser to the client. */
export const decideConsent = sessionOperation(decideConsentRoute, async (input) => {
  const { request, site, signedIn, nowMs, body } = input;
  requireOwnPage(request, site);
  const form = parseForm(body);
  const id = form.get("request") ?? "";
  const asked = await findPendingAuthorization(id, site, nowMs);
  if (signedIn === undefined)
    return seeOther(site.baseUrl + signInPath(pagePath({ page: "authorize", request: id })));
  const { session, reader } = signedIn;
  await requireFormProof(session.reference, `${consentPath}?${id}`, form);
  switch (form.get("decision")) {
    case "allow":
      // Expects no account field from people without a team, because their form does not have this field.
      return allow(id, asked, {
        ...input,
        identity: session.identity,
        team: await findChosenTeam(reader, form.get(accountField) ?? ""),
      });
    case "deny":
      return deny(id, asked, input);
    default:
      throw new ApiError("invalid_arg", {
        message: "Part of the form was missing. Start again in the program that sent you here.",
      });
  }
});

/** Approves the request. Like a sign-in for an agent, finds or creates the member's account. */
async function allow(
  id: string,
  asked: AuthorizationRequest,
  decision: Input & {
    readonly identity: Identity;
    /** Team whose account the client may use. @default - the client may use the person's own account */
    readonly team: TeamOfPerson | undefined;
  },
): Promise<HttpResponse> {
  const { identity, team, site, nowMs, randomInt, act } = decision;
  const [known, admission] = await Promise.all([
    accounts.findByIdentity(identity, act),
    admit(identity, act),
  ]);
  if (!admission.isMember)
    throw admission.isDeactivated ? accountDeactivated() : refusal("not_a_member", membersOnly);
  const person = known ?? (await accounts.findOrCreate(identity, randomInt, act));
  const together = [...storeIdentity(person.userId, admission.identity), ...admission.conditions];
  const account =
    team === undefined ? { userId: person.userId } : { userId: team.userId, personId: person.userId };
  const { userId } = account;
  await requireTokenQuota(userId, nowMs);
  const outcome = await authorizationRequests.allow(id, asked, account, act, together);
  if (outcome === "late") throw authorizationEnded();
  // The person was removed before the decision, or the account is being deleted. A retry reports the reason.
  if (outcome === "refused") throw new ApiError("unavailable", { retryAfterSeconds: 1 });
  return { ...seeOther(returnUrl(asked, site, outcome)), wrote: { ownerId: userId } };
}

async function deny(id: string, asked: AuthorizationRequest, { site }: Input): Promise<HttpResponse> {
  if (!(await authorizationRequests.refuse(id))) throw authorizationEnded();
  const denial = new OAuthError("access_denied", "The person denied the client access.");
  return seeOther(refusalUrl(asked, site, denial));
}
