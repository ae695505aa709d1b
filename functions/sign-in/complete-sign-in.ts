import { accounts } from "../accounts/store.ts";
import { ApiError } from "../platform/errors.ts";
import { page, pageOperation } from "../platform/page-operation.ts";
import { callbackUrl, ownerUrl } from "../platform/site.ts";
import { renderConfirmationPage } from "./confirmation-page.tsx";
import { isBrowserSignIn, notPendingError, requireContinued, requirePending } from "./cookies.ts";
import { deviceCodes } from "./device-codes.ts";
import { fetchIdentity } from "./identity-provider.ts";
import { completeSignInRoute } from "./rows.ts";
import { requireTokenQuota } from "./token-claim.ts";

/** GET /api/auth/idp/callback: the human is back; the account is found or made, and the code verified. */
export const completeSignIn = pageOperation(completeSignInRoute, async (input) => {
  const { query, request, site, nowMs, randomInt, act } = input;
  await requireContinued(request, query.state, nowMs);
  const pending = await requirePending(query.state, nowMs);
  if (query.refused !== undefined) {
    throw new ApiError("invalid_arg", {
      message: "The identity provider says that the sign-in was not completed.",
    });
  }
  const identity = await fetchIdentity(callbackUrl(site), query, pending.codeVerifier);
  const { userId, namespace } = await accounts.findOrCreate(identity, randomInt, act);
  await requireTokenQuota(userId);
  if (!(await deviceCodes.verify(pending.code, userId, act))) throw notPendingError();
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
