import { ApiError } from "../core/errors.ts";
import { page } from "../html/page.ts";
import { pageOperation } from "../http/page-operation.ts";
import { parseForm } from "../http/request.ts";
import { ownerUrl } from "../http/site.ts";
import { hashSecret } from "../table/identifiers.ts";
import { accountSuspended } from "../table/suspension.ts";
import { browserPollToken, endedBrowserSignInCookie } from "./cookies.ts";
import { deviceCodeSearch, pollStatus } from "./device-codes.ts";
import { revealTokenRoute } from "./rows.ts";
import { claimIds, claimToken, membershipEnded, teamLeft } from "./token-claim.ts";
import { renderTokenPage } from "./token-page.tsx";
import { tokenQuotaExceeded } from "./token-quota.ts";

/** POST /login/token: shows the token to a person who signed in without an agent. No other response contains this token. */
export const revealToken = pageOperation(revealTokenRoute, async (input) => {
  const { body, request, site, nowMs, randomInt, act } = input;
  const code = parseForm(body).get("code") ?? "";
  const pollToken = browserPollToken(request, code);
  if (pollToken === undefined) {
    throw new ApiError("invalid_arg", {
      message:
        "This token was requested in another browser, was already shown, or is too old. Start again to get a new token.",
    });
  }
  const found = await deviceCodeSearch.findByPollTokenHash(hashSecret(pollToken));
  if (found?.state !== "verified" || pollStatus(found, nowMs) !== "verified") throw notToBeShown();
  const claim = await claimToken(found, act, randomInt);
  if (claim.kind === "full") throw tokenQuotaExceeded();
  if (claim.kind === "suspended") throw accountSuspended();
  if (claim.kind === "removed") throw membershipEnded();
  if (claim.kind === "left-team") throw teamLeft();
  if (claim.kind !== "claimed") throw notToBeShown();
  const { plaintext, token, namespace } = claim;
  const facts = { plaintext, tokenId: token.id, baseUrl: site.baseUrl, ownerUrl: ownerUrl(site, namespace) };
  const shown = page("token", (nonce) => renderTokenPage({ ...facts, nonce }), {
    cookies: [endedBrowserSignInCookie(found.code)],
  });
  return { ...shown, wrote: claimIds(claim) };
});

function notToBeShown(): ApiError {
  return new ApiError("expired_code", {
    message: "This token was already shown, or is older than 10 minutes. Start again to get a new one.",
  });
}
