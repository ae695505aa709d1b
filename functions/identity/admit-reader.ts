import { ApiError } from "../core/errors.ts";
import { page } from "../html/page.ts";
import { pageOperation } from "../http/page-operation.ts";
import { redirect } from "../http/response.ts";
import { callbackUrl } from "../http/site.ts";
import { findReader } from "../people/find-reader.ts";
import { parseDestination } from "./destination.ts";
import { authorizationUrl } from "./identity-provider.ts";
import { renderSignedInPage, renderSignedOutPage } from "./reader-pages.tsx";
import { startReaderSignIn } from "./reader-sign-in-state.ts";
import { readerSessions } from "./readers.ts";
import { admitReaderRoute } from "./rows.ts";

/**
 * GET /login/read: signs a reader in, and redirects to the page in the parameter `to`. Without `to`, shows the reader's identity. Redirects
 * a reader with a session immediately, unless the reader asks for another account, must sign in again, or has been deactivated.
 */
export const admitReader = pageOperation(admitReaderRoute, async ({ request, query, site, nowMs }) => {
  const session = await readerSessions.ofRequest(request, nowMs);
  if (query.to === undefined) {
    return page("sign-in", (nonce) =>
      session === undefined
        ? renderSignedOutPage({ destination: undefined, nonce })
        : renderSignedInPage({ identity: session.identity, nonce }),
    );
  }
  const to = parseDestination(query.to);
  if (to === undefined) {
    throw new ApiError("invalid_arg", {
      message:
        "This sign-in link is not for a page of this service. Open the page that you want to read, and sign in from there.",
    });
  }
  if (session !== undefined && query.account === "any" && !(await findReader(session)).isSessionOver)
    return redirect(site.baseUrl + to);
  const { state, codeVerifier, cookie } = await startReaderSignIn(to, nowMs);
  const redirectUrl = callbackUrl(site);
  const prompts = { any: undefined, other: "other-account", again: "authenticate" } as const;
  const url = await authorizationUrl({ state, codeVerifier, redirectUrl, prompt: prompts[query.account] });
  return redirect(url.href, [cookie]);
});
