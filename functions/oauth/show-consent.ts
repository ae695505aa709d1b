import { formProofs } from "../http/form-proof.ts";
import type { OperationInput } from "../http/operation.ts";
import { page } from "../http/page-operation.ts";
import { parseQuery } from "../http/request.ts";
import { type HttpResponse, redirect } from "../http/response.ts";
import { pagePath, signInPath } from "../identity/destination.ts";
import { sessionOperation } from "../identity/signed-in-page.ts";
import { rateLimiter } from "../table/rate-limits.ts";
import {
  findReturnAddress,
  parseAuthorizationRequest,
  type ReturnAddress,
  refusalUrl,
} from "./authorization-request.ts";
import { authorizationRequests, findPendingAuthorization } from "./authorization-store.ts";
import { consentPath, renderConsentPage } from "./consent-page.tsx";
import { authorizationRule } from "./limits.ts";
import { OAuthError } from "./oauth-error.ts";
import { showConsentRoute } from "./rows.ts";

/**
 * GET /oauth/authorize: a client sends a person's browser here. Stores the request while the person signs in, then asks for
 * consent.
 */
export const showConsent = sessionOperation(showConsentRoute, async (input) => {
  const { request, site, signedIn, nowMs } = input;
  const sent = parseQuery(request.rawQuery);
  const [id = ""] = sent.request ?? [];
  if (sent.client_id !== undefined || id === "") return begin(input);
  const destination = { page: "authorize", request: id } as const;
  const asked = await findPendingAuthorization(id, site, nowMs);
  if (signedIn === undefined) return redirect(site.baseUrl + signInPath(pagePath(destination)));
  const proofOf = await formProofs(signedIn.session.reference);
  const proof = proofOf(`${consentPath}?${id}`);
  return page(
    "sign-in",
    (nonce) => renderConsentPage({ asked, destination, proof, identity: signedIn.reader.identity, nonce }),
    { leadsTo: asked.redirectUri },
  );
});

async function begin({
  request,
  site,
  nowMs,
}: OperationInput<typeof showConsentRoute>): Promise<HttpResponse> {
  const query = request.rawQuery;
  // Before anything is asked elsewhere because of it.
  await rateLimiter.spend(authorizationRule, request.network, nowMs);
  const to: ReturnAddress = await findReturnAddress(query, nowMs);
  try {
    parseAuthorizationRequest(query, to, site);
  } catch (error) {
    if (error instanceof OAuthError) return redirect(refusalUrl(to, site, error));
    throw error;
  }
  const id = await authorizationRequests.keep(query, nowMs);
  return redirect(site.baseUrl + pagePath({ page: "authorize", request: id }));
}
