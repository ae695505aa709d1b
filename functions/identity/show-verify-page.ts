import { ApiError } from "../core/errors.ts";
import { page } from "../html/page.ts";
import { pageOperation } from "../http/page-operation.ts";
import type { HttpResponse } from "../http/response.ts";
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
 * GET /verify: shows the link to sign in, and the code to compare with the agent's code. A sign-in without an agent has no code to compare.
 *
 * A person who followed a link on another site must first type a part of the code; see docs/adr/0006-sign-in-pages.md. The page that asks
 * for this part is the same for every code, so that another site cannot use it to find valid codes. Requests for this page do not count as
 * wrong guesses, so that another site cannot use up its visitors' guesses.
 */
export const showVerifyPage = pageOperation(
  showVerifyPageRoute,
  async ({ query: { code, typed }, request, site, nowMs }) => {
    const isCode = patterns.deviceCode.test(code);
    const isFromElsewhere = fetchSite(request) === "elsewhere";
    const [found] = await Promise.all([
      isCode ? deviceCodeSearch.find(code) : undefined,
      isFromElsewhere ? undefined : rateLimiter.check(unknownCodeRule, request.network, nowMs),
    ]);
    const isOwn = found !== undefined && isBrowserSignIn(request, found);
    if (isFromElsewhere && !isOwn) {
      if (isCode) return codeEntryPage(code);
      throw new ApiError("expired_code");
    }
    if (found === undefined || pollStatus(found, nowMs) !== "pending") {
      await rateLimiter.spend(unknownCodeRule, request.network, nowMs);
      throw new ApiError("expired_code");
    }
    if (typed !== undefined && !isTypedFrom(code, typed)) return codeEntryPage(code, { isWrong: true });
    const { cookie, proof } = await startVerification(code, nowMs);
    const continueUrl = `${site.baseUrl}/api/auth/idp/authorize?code=${code}&proof=${proof}`;
    const { label, scope } = found;
    const daysMax = tokenDaysMax();
    return page(
      "sign-in",
      (nonce) =>
        isOwn
          ? renderBrowserSignInPage({ scope, continueUrl, daysMax, nonce })
          : renderVerifyPage({ code, label, scope, continueUrl, daysMax, nonce }),
      { cookies: [cookie] },
    );
  },
);

function codeEntryPage(code: string, { isWrong = false } = {}): HttpResponse {
  const status = isWrong ? 400 : 200;
  return page("sign-in", (nonce) => renderCodeEntryPage({ code, wrong: isWrong, nonce }), { status });
}

/** Checks whether a person typed the end of the code or the whole code. The dash is optional. */
function isTypedFrom(code: string, typed: string): boolean {
  return [code.slice(-typedLength), code, code.replace("-", "")].includes(typed);
}
