import { ApiError } from "../core/errors.ts";
import { page } from "../html/page.ts";
import type { OperationInput } from "../http/operation.ts";
import { pageOperation } from "../http/page-operation.ts";
import { type HttpResponse, seeOther } from "../http/response.ts";
import { callbackUrl, type Site } from "../http/site.ts";
import { accounts, type Identity } from "../people/accounts.ts";
import { findReader, findUserId } from "../people/find-reader.ts";
import { isMember } from "../people/members.ts";
import { findTeamsOf } from "../people/teams.ts";
import { type Act, signInRefusal } from "../table/audit.ts";
import { appendToAudit } from "../table/audit-trail.ts";
import { rememberGroups } from "../table/groups.ts";
import { renderAccountChoicePage } from "./account-choice-page.tsx";
import { accountDeactivated, admit, storeIdentity } from "./admission.ts";
import { confirmed } from "./confirmation.ts";
import { notPendingError, requireContinued, requirePending } from "./cookies.ts";
import { deviceCodes } from "./device-codes.ts";
import { fetchIdentity } from "./identity-provider.ts";
import { membershipRefused } from "./not-a-member.tsx";
import { endedReaderSignInCookie, findReaderSignIn, isReaderState } from "./reader-sign-in-state.ts";
import { readerSessions, readSessionCookie, sessionCookie } from "./readers.ts";
import { completeSignInRoute } from "./rows.ts";
import { requireTokenQuota } from "./token-quota.ts";

type Input = OperationInput<typeof completeSignInRoute>;

/**
 * Completes a reader's sign-in: starts a session in the browser and redirects to the requested page. Shows no confirmation page, because
 * only this browser gets access; see docs/adr/0026-guarded-drops.md.
 *
 * @throws ApiError `invalid_arg` if another browser started the sign-in
 */
async function completeReaderSignIn(input: Input): Promise<HttpResponse> {
  const { query, request, site, nowMs, act } = input;
  const started = await findReaderSignIn(request, query.state, nowMs);
  if (started === undefined)
    throw new ApiError("invalid_arg", {
      message:
        "This sign-in was started in another browser, or more than 10 minutes ago. Open the page that you want to read, and sign in from there.",
    });
  const identity = await identify(input, started.codeVerifier);
  // Readers need not be members. `admit` is called because it binds the user name to the first person who signs in with it.
  const [userId, admission] = await Promise.all([
    findUserId(identity),
    admit(identity, act),
    identity.groups.length > 0 && rememberGroups(identity.groups),
  ]);
  if (!admission.isMember && admission.isDeactivated) {
    await appendToAudit({ ...act, action: signInRefusal }, { ownerId: userId });
    throw accountDeactivated();
  }
  const who = { identity: admission.identity, userId };
  const id = await readerSessions.start(who, readSessionCookie(request), act);
  return seeOther(site.baseUrl + started.destination, [
    sessionCookie(id),
    endedReaderSignInCookie(query.state),
  ]);
}

/** GET /api/auth/idp/callback: finds or creates the account of a member, and verifies the device code. */
export const completeSignIn = pageOperation(completeSignInRoute, async (input) => {
  const { query, request, site, nowMs, randomInt, act } = input;
  if (isReaderState(query.state)) return completeReaderSignIn(input);
  await requireContinued(request, query.state, nowMs);
  const pending = await requirePending(query.state, nowMs);
  const identity = await identify(input, pending.codeVerifier);
  const refusal = { code: pending.code, identity, site, act };
  const [known, admission] = await Promise.all([
    accounts.findByIdentity(identity, act),
    admit(identity, act),
    identity.groups.length > 0 && rememberGroups(identity.groups),
  ]);
  if (!admission.isMember) {
    const refused = await refuse(refusal, known?.userId);
    throw admission.isDeactivated ? accountDeactivated() : refused;
  }
  const { userId, namespace } = known ?? (await accounts.findOrCreate(identity, randomInt, act));
  const together = [...storeIdentity(userId, admission.identity), ...admission.conditions];
  const person = await findReader({ identity: admission.identity, userId });
  const teams = await findTeamsOf(person);
  if (teams.length > 0) {
    const outcome = await deviceCodes.identify(pending.code, userId, nowMs, together);
    if (outcome === "late") throw notPendingError();
    if (outcome === "refused") throw await refuseChanged(refusal, userId);
    const { code } = pending;
    return page("sign-in", (nonce) => renderAccountChoicePage({ code, namespace, teams, nonce }));
  }
  await requireTokenQuota(userId, nowMs);
  const outcome = await deviceCodes.verify(pending.code, { userId }, act, together);
  if (outcome === "late") throw notPendingError();
  if (outcome === "refused") throw await refuseChanged(refusal, userId);
  return confirmed(input, pending, { userId, namespace, username: identity.username });
});

/** Fetches the identity. @throws ApiError `invalid_arg` if the provider or the person refused the sign-in, or errors of `fetchIdentity` */
async function identify({ query, site }: Input, codeVerifier: string): Promise<Identity> {
  if (query.refused === undefined) return fetchIdentity(callbackUrl(site), query, codeVerifier);
  throw new ApiError("invalid_arg", {
    message: "The identity provider reported that the sign-in was not completed. Start the sign-in again.",
  });
}

interface Refusal {
  readonly code: string;
  readonly identity: Identity;
  readonly site: Site;
  readonly act: Act;
}

/** Expires the code, so that the agent stops polling. Nothing about the person is stored except an audit entry. */
async function refuse(
  { code, identity, site, act }: Refusal,
  ownerId: string | undefined,
): Promise<ApiError> {
  await deviceCodes.refuse(code, { ...act, action: signInRefusal }, ownerId);
  return membershipRefused(identity, site.baseUrl);
}

/** Refuses a person whose membership or account was removed during the sign-in. */
async function refuseChanged(refusal: Refusal, ownerId: string): Promise<ApiError> {
  if (await isMember(refusal.identity)) return new ApiError("unavailable", { retryAfterSeconds: 1 });
  return refuse(refusal, ownerId);
}
