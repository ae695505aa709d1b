import { ApiError } from "../core/errors.ts";
import { isFormProof, proofField } from "../http/form-proof.ts";
import type { OperationInput } from "../http/operation.ts";
import { parseForm } from "../http/request.ts";
import { type HttpResponse, seeOther } from "../http/response.ts";
import { requireOwnPage } from "../http/site.ts";
import { accountDeactivated, admit, storeIdentity } from "../identity/admission.ts";
import { pagePath, signInPath } from "../identity/destination.ts";
import { identityText } from "../identity/identity-text.ts";
import { sessionOperation } from "../identity/signed-in-page.ts";
import { requireTokenQuota } from "../identity/token-quota.ts";
import { accounts, type Identity } from "../people/accounts.ts";
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
import { oauthText } from "./text.ts";

type Input = OperationInput<typeof decideConsentRoute>;

/** POST /oauth/authorize: a person has decided, once, on our own page. The browser takes the decision to the client. */
export const decideConsent = sessionOperation(decideConsentRoute, async (input) => {
  const { request, site, signedIn, nowMs, body } = input;
  requireOwnPage(request, site);
  const form = parseForm(body);
  const id = form.get("request") ?? "";
  const asked = await findPendingAuthorization(id, site, nowMs);
  if (signedIn === undefined)
    return seeOther(site.baseUrl + signInPath(pagePath({ page: "authorize", request: id })));
  const { session } = signedIn;
  if (!(await isFormProof(session.reference, `${consentPath}?${id}`, form.get(proofField) ?? "")))
    throw new ApiError("forbidden", { message: identityText.staleForm });
  switch (form.get("decision")) {
    case "allow":
      return allow(id, asked, session.identity, input);
    case "deny":
      return deny(id, asked, input);
    default:
      throw new ApiError("invalid_arg", { message: oauthText.problems.undecided });
  }
});

/** Approves the request. Finds or creates a member's account, as the sign-in of an agent does. */
async function allow(
  id: string,
  asked: AuthorizationRequest,
  identity: Identity,
  { site, nowMs, randomInt, act }: Input,
): Promise<HttpResponse> {
  const [known, admission] = await Promise.all([
    accounts.findByIdentity(identity, act),
    admit(identity, act),
  ]);
  if (!admission.isMember)
    throw admission.isDeactivated
      ? accountDeactivated()
      : refusal("not_a_member", identityText.membershipRefused.lead);
  const { userId } = known ?? (await accounts.findOrCreate(identity, randomInt, act));
  await requireTokenQuota(userId, nowMs);
  const together = [...storeIdentity(userId, admission.identity), ...admission.holds];
  const outcome = await authorizationRequests.allow(id, asked, userId, act, together);
  if (outcome === "late") throw authorizationEnded();
  // The person was removed, or their account is being deleted, during the decision.
  if (outcome === "refused") throw new ApiError("unavailable", { retryAfterSeconds: 1 });
  return { ...seeOther(returnUrl(asked, site, outcome)), wrote: { ownerId: userId } };
}

async function deny(id: string, asked: AuthorizationRequest, { site }: Input): Promise<HttpResponse> {
  if (!(await authorizationRequests.refuse(id))) throw authorizationEnded();
  const denial = new OAuthError("access_denied", "The person has refused the client.");
  return seeOther(refusalUrl(asked, site, denial));
}
