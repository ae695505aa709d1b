import { ApiError } from "../../contract/api-error.ts";
import { completeSignInRoute } from "../../contract/sign-in-routes.ts";
import { callbackUrl, ownerUrl } from "../../domain/addresses.ts";
import { fetchIdentity } from "../../http/identity-provider.ts";
import { isOwnSignIn } from "../../http/own-sign-in-cookie.ts";
import { page } from "../../http/page-answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { notPendingError, requirePending } from "../../http/pending-code.ts";
import { requireContinued } from "../../http/sign-in-cookies.ts";
import { requireTokenRoom } from "../../http/token-claim.ts";
import { accounts } from "../../store/accounts.ts";
import { deviceCodes } from "../../store/device-codes.ts";
import { renderConfirmationPage } from "../../views/confirmation-page.tsx";

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
  await requireTokenRoom(userId);
  if (!(await deviceCodes.verify(pending.code, userId, act))) throw notPendingError();
  const confirmation = page("sign-in", (nonce) =>
    renderConfirmationPage({
      username: identity.username,
      namespace,
      ownerUrl: ownerUrl(site, namespace),
      label: pending.label,
      code: pending.code,
      ownCode: isOwnSignIn(request, pending) ? pending.code : null,
      nonce,
    }),
  );
  return { ...confirmation, wrote: { ownerId: userId } };
});
