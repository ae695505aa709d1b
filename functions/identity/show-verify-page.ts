import { ApiError } from "../http/errors.ts";
import { page, pageOperation } from "../http/page-operation.ts";
import { patterns } from "../http/schemas.ts";
import { fetchSite } from "../http/site.ts";
import { rateLimiter } from "../table/rate-limits.ts";
import { unknownCodeRule } from "../table/rate-rules.ts";
import { tokenDaysMax } from "../table/tokens.ts";
import { isBrowserSignIn, startVerification } from "./cookies.ts";
import { deviceCodeSearch, pollStatus } from "./device-codes.ts";
import { showVerifyPageRoute } from "./rows.ts";
import {
  renderBrowserSignInPage,
  renderCodeEntryPage,
  renderVerifyPage,
  typedLength,
} from "./verify-page.tsx";

/**
 * GET /verify: the code to compare with the agent's, or what this browser asked for itself, and the link to sign in.
 * Whoever was sent here by another site's page types a part of the code first: docs/adr/0007-device-code-phishing.md.
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
    const isOwn = isBrowserSignIn(request, found);
    const isMistyped = typed !== undefined && !isTypedFrom(code, typed);
    if (isMistyped || (!isOwn && fetchSite(request) === "elsewhere")) {
      const status = isMistyped ? 400 : 200;
      return page("sign-in", (nonce) => renderCodeEntryPage({ code, wrong: isMistyped, nonce }), { status });
    }
    const { cookie, proof } = await startVerification(code, nowMs);
    const continueUrl = `${site.baseUrl}/api/auth/idp/authorize?code=${code}&proof=${proof}`;
    const daysMax = tokenDaysMax();
    return page(
      "sign-in",
      (nonce) =>
        isOwn
          ? renderBrowserSignInPage({ continueUrl, daysMax, nonce })
          : renderVerifyPage({ code, label: found.label, continueUrl, daysMax, nonce }),
      { cookies: [cookie] },
    );
  },
);

/** Compares typed characters with the end of the code, or all of it, with or without the dash. */
function isTypedFrom(code: string, typed: string): boolean {
  return [code.slice(-typedLength), code, code.replace("-", "")].includes(typed);
}
