import { ApiError } from "../../contract/api-error.ts";
import { patterns } from "../../contract/patterns.ts";
import { showVerifyPageRoute } from "../../contract/sign-in-routes.ts";
import { pollStatus } from "../../domain/device-code.ts";
import { unknownCodeRule } from "../../domain/rate-window.ts";
import { isOwnSignIn } from "../../http/own-sign-in-cookie.ts";
import { page } from "../../http/page-answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { startVerification } from "../../http/sign-in-cookies.ts";
import { deviceCodeSearch } from "../../store/device-code-search.ts";
import { rateLimiter } from "../../store/rate-limiter.ts";
import { renderOwnSignInPage } from "../../views/own-sign-in-page.tsx";
import { renderVerifyPage } from "../../views/verify-page.tsx";

/** GET /verify: the code to compare with the agent's, or what this browser asked for itself, and the link to sign in. */
export const showVerifyPage = pageOperation(
  showVerifyPageRoute,
  async ({ query: { code }, request, site, nowMs }) => {
    const [found] = await Promise.all([
      patterns.deviceCode.test(code) ? deviceCodeSearch.find(code) : undefined,
      rateLimiter.check(unknownCodeRule, request.network, nowMs),
    ]);
    if (found === undefined || pollStatus(found, nowMs) !== "pending") {
      await rateLimiter.spend(unknownCodeRule, request.network, nowMs);
      throw new ApiError("expired_code");
    }
    const { cookie, proof } = await startVerification(code, nowMs);
    const continueUrl = `${site.baseUrl}/api/auth/idp/authorize?code=${code}&proof=${proof}`;
    const isOwn = isOwnSignIn(request, found);
    return page(
      "sign-in",
      (nonce) =>
        isOwn
          ? renderOwnSignInPage({ continueUrl, nonce })
          : renderVerifyPage({ code, label: found.label, continueUrl, nonce }),
      { cookies: [cookie] },
    );
  },
);
