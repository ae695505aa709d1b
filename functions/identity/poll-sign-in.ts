import type { WriteIds } from "../core/log.ts";
import { operation } from "../http/operation.ts";
import { ok } from "../http/response.ts";
import { hashSecret } from "../table/identifiers.ts";
import { deviceCodeSearch, pollStatus } from "./device-codes.ts";
import { pollSignInRoute } from "./rows.ts";
import type { SignInPollResponse } from "./schemas.ts";
import { claimIds, claimToken, type TokenClaim } from "./token-claim.ts";

/** GET /api/auth/poll: responds with the status of the sign-in. Only the first response with the status `verified` has the API token. */
export const pollSignIn = operation(pollSignInRoute, async ({ query, request, nowMs, randomInt, act }) => {
  const code = await deviceCodeSearch.findByPollTokenHash(hashSecret(query.token));
  if (code === undefined) return report({ status: "not_found" });
  const status = pollStatus(code, nowMs);
  // HEAD does not claim the token, because a response to HEAD has no body that could contain the token (RFC 9110, section 9.3.2).
  if (status !== "verified" || code.state !== "verified" || request.method === "HEAD")
    return report({ status });
  const claim = await claimToken(code, act, randomInt);
  return report(presentClaim(claim), claimIds(claim));
});

function presentClaim(claim: TokenClaim): SignInPollResponse {
  switch (claim.kind) {
    case "claimed":
      return { status: "verified", api_token: claim.plaintext, user_id: claim.token.userId };
    case "late":
      return { status: "claimed" };
    case "no-account":
    case "suspended":
    case "removed":
    case "left-team":
    case "full":
      return { status: "expired" };
  }
}

function report(response: SignInPollResponse, wrote: WriteIds = {}) {
  return ok(response, wrote);
}
