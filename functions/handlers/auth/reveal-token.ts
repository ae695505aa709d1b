import { ApiError } from "../../contract/api-error.ts";
import { revealTokenRoute } from "../../contract/sign-in-routes.ts";
import { ownerUrl } from "../../domain/addresses.ts";
import { pollStatus } from "../../domain/device-code.ts";
import { hashSecret } from "../../domain/token.ts";
import { parseForm } from "../../http/form.ts";
import { endedOwnSignInCookie, ownPollToken } from "../../http/own-sign-in-cookie.ts";
import { page } from "../../http/page-answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { claimIds, claimToken, tokenQuotaExceeded } from "../../http/token-claim.ts";
import { deviceCodeSearch } from "../../store/device-code-search.ts";
import { accountSuspended } from "../../store/suspension.ts";
import { renderTokenPage } from "../../views/token-page.tsx";

/** POST /login/token: the person who signed in without an agent sees their token, in this answer and never again. */
export const revealToken = pageOperation(revealTokenRoute, async (input) => {
  const { body, request, site, nowMs, randomInt, act } = input;
  const code = parseForm(body).get("code") ?? "";
  const pollToken = ownPollToken(request, code);
  if (pollToken === undefined) {
    throw new ApiError("invalid_arg", {
      message: "This token was asked for in another browser, was shown already, or is too old. Start again.",
    });
  }
  const found = await deviceCodeSearch.findByPollTokenHash(hashSecret(pollToken));
  if (found?.state !== "verified" || pollStatus(found, nowMs) !== "verified") throw notToBeShown();
  const claim = await claimToken(found, act, randomInt);
  if (claim.kind === "full") throw tokenQuotaExceeded();
  if (claim.kind === "suspended") throw accountSuspended();
  if (claim.kind !== "claimed") throw notToBeShown();
  const { plaintext, token, namespace } = claim;
  const { baseUrl } = site;
  const owner = ownerUrl(site, namespace);
  const shown = page(
    "token",
    (nonce) => renderTokenPage({ plaintext, tokenId: token.id, baseUrl, ownerUrl: owner, nonce }),
    { cookies: [endedOwnSignInCookie(found.code)] },
  );
  return { ...shown, wrote: claimIds(claim) };
});

function notToBeShown(): ApiError {
  return new ApiError("expired_code", {
    message: "This token was shown already, or waited longer than 10 minutes. Start again for another.",
  });
}
