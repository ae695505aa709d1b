import { authorizeSignInRoute } from "../../contract/sign-in-routes.ts";
import { callbackUrl } from "../../domain/addresses.ts";
import { redirect } from "../../http/answer.ts";
import { authorizationUrl } from "../../http/identity-provider.ts";
import { pageOperation } from "../../http/page-operation.ts";
import { requirePending } from "../../http/pending-code.ts";
import { continueVerification } from "../../http/sign-in-cookies.ts";

/** GET /api/auth/idp/authorize: on to the identity provider, with the device code as state. */
export const authorizeSignIn = pageOperation(
  authorizeSignInRoute,
  async ({ query, request, site, nowMs }) => {
    const cookie = await continueVerification(request, query, nowMs);
    const { code, codeVerifier } = await requirePending(query.code, nowMs);
    const url = await authorizationUrl({ state: code, codeVerifier, redirectUrl: callbackUrl(site) });
    return redirect(url.href, [cookie]);
  },
);
