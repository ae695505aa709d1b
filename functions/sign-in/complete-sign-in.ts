import type { Identity } from "../accounts/identity.ts";
import { accounts, keepIdentity } from "../accounts/store.ts";
import { requireTokenQuota } from "../accounts/token-quota.ts";
import { admit, isMember } from "../members/store.ts";
import { type Act, signInRefusal } from "../platform/audit.ts";
import { ApiError } from "../platform/errors.ts";
import { page, pageOperation } from "../platform/page-operation.ts";
import { callbackUrl, ownerUrl, type Site } from "../platform/site.ts";
import { completeReaderSignIn } from "./complete-reader-sign-in.ts";
import { renderConfirmationPage } from "./confirmation-page.tsx";
import { isBrowserSignIn, notPendingError, requireContinued, requirePending } from "./cookies.ts";
import { deviceCodes } from "./device-codes.ts";
import { fetchIdentity } from "./identity-provider.ts";
import { notAMember } from "./not-a-member.tsx";
import { isReaderState } from "./reader-sign-in-state.ts";
import { completeSignInRoute } from "./rows.ts";

/** GET /api/auth/idp/callback: the human is back; a member's account is found or made, and the code verified. */
export const completeSignIn = pageOperation(completeSignInRoute, async (input) => {
  const { query, request, site, nowMs, randomInt, act } = input;
  if (isReaderState(query.state)) return completeReaderSignIn(input);
  await requireContinued(request, query.state, nowMs);
  const pending = await requirePending(query.state, nowMs);
  if (query.refused !== undefined) {
    throw new ApiError("invalid_arg", {
      message: "The identity provider says that the sign-in was not completed.",
    });
  }
  const identity = await fetchIdentity(callbackUrl(site), query, pending.codeVerifier);
  const refusal = { code: pending.code, identity, site, act };
  const [known, admission] = await Promise.all([accounts.findByIdentity(identity, act), admit(identity)]);
  if (!admission.isMember) throw await refuse(refusal, known?.userId);
  const { userId, namespace } = known ?? (await accounts.findOrCreate(identity, randomInt, act));
  await requireTokenQuota(userId, nowMs);
  const together = [keepIdentity(userId, identity), ...admission.holds];
  const outcome = await deviceCodes.verify(pending.code, userId, act, together);
  if (outcome === "late") throw notPendingError();
  if (outcome === "refused") throw await refuseChanged(refusal, userId);
  const confirmation = page("sign-in", (nonce) =>
    renderConfirmationPage({
      username: identity.username,
      namespace,
      ownerUrl: ownerUrl(site, namespace),
      label: pending.label,
      code: pending.code,
      ownCode: isBrowserSignIn(request, pending) ? pending.code : null,
      nonce,
    }),
  );
  return { ...confirmation, wrote: { ownerId: userId } };
});

interface Refusal {
  readonly code: string;
  readonly identity: Identity;
  readonly site: Site;
  readonly act: Act;
}

/** The agent is not kept waiting, and nothing is left behind but a line of the audit trail. */
async function refuse(
  { code, identity, site, act }: Refusal,
  ownerId: string | undefined,
): Promise<ApiError> {
  await deviceCodes.refuse(code, { ...act, action: signInRefusal }, ownerId);
  return notAMember(identity, site.baseUrl);
}

/** Somebody was removed, or their account is being deleted, while they signed in. */
async function refuseChanged(refusal: Refusal, ownerId: string): Promise<ApiError> {
  if (await isMember(refusal.identity)) return new ApiError("unavailable", { retryAfterSeconds: 1 });
  return refuse(refusal, ownerId);
}
