import { pageOperation } from "../http/page-operation.ts";
import { redirect } from "../http/response.ts";
import { callbackUrl } from "../http/site.ts";
import { continueVerification, requirePending } from "./cookies.ts";
import { authorizationUrl } from "./identity-provider.ts";
import { authorizeSignInRoute } from "./rows.ts";

/** GET /api/auth/idp/authorize: redirects to the identity provider, with the device code as state. */
export const authorizeSignIn = pageOperation(
  authorizeSignInRoute,
  async ({ query, request, site, nowMs }) => {
    const cookie = await continueVerification(request, query, nowMs);
    const { code, codeVerifier } = await requirePending(query.code, nowMs);
    const url = await authorizationUrl({ state: code, codeVerifier, redirectUrl: callbackUrl(site) });
    return redirect(url.href, [cookie]);
  },
);
