import { ApiError } from "../../contract/api-error.ts";
import { patterns } from "../../contract/patterns.ts";
import { showVerifyPageRoute } from "../../contract/sign-in-routes.ts";
import { pollStatus } from "../../domain/device-code.ts";
import { unknownCodeRule } from "../../domain/rate-window.ts";
import { fetchSite } from "../../http/fetch-destination.ts";
import { isOwnSignIn } from "../../http/own-sign-in-cookie.ts";
import { page } from "../../http/page-answer.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { startVerification } from "../../http/sign-in-cookies.ts";
import { deviceCodeSearch } from "../../store/device-code-search.ts";
import { rateLimiter } from "../../store/rate-limiter.ts";
import { renderCodeEntryPage, typedLength } from "../../views/code-entry-page.tsx";
import { renderOwnSignInPage } from "../../views/own-sign-in-page.tsx";
import { renderVerifyPage } from "../../views/verify-page.tsx";

/**
 * GET /verify: the code to compare with the agent's, or what this browser asked for itself, and the link to sign in.
 * Whoever was sent here by another site's page types a part of the code first: docs/adr/0007-sign-in-goes-on-only-from-its-own-page.md.
 */
export const showVerifyPage = pageOperation(
  showVerifyPageRoute,
  async ({ query: { code, typed }, request, site, nowMs }) => {
    const [found] = await Promise.all([
      patterns.deviceCode.test(code) ? deviceCodeSearch.find(code) : undefined,
      rateLimiter.check(unknownCodeRule, request.network, nowMs),
    ]);
    if (found === undefined || pollStatus(found, nowMs) !== "pending") {
      await rateLimiter.spend(unknownCodeRule, request.network, nowMs);
      throw new ApiError("expired_code");
    }
    const isOwn = isOwnSignIn(request, found);
    const isMistyped = typed !== undefined && !isTypedFrom(code, typed);
    if (isMistyped || (!isOwn && fetchSite(request) === "elsewhere")) {
      const status = isMistyped ? 400 : 200;
      return page("sign-in", (nonce) => renderCodeEntryPage({ code, wrong: isMistyped, nonce }), { status });
    }
    const { cookie, proof } = await startVerification(code, nowMs);
    const continueUrl = `${site.baseUrl}/api/auth/idp/authorize?code=${code}&proof=${proof}`;
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

/** Whether these are the code's last characters, or all of them, with its dash or without. */
function isTypedFrom(code: string, typed: string): boolean {
  return [code.slice(-typedLength), code, code.replace("-", "")].includes(typed);
}
