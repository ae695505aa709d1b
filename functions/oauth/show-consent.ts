import { ApiError } from "../core/errors.ts";
import { page } from "../html/page.ts";
import { formProofs } from "../http/form-proof.ts";
import type { OperationInput } from "../http/operation.ts";
import { parseQuery } from "../http/request.ts";
import { type HttpResponse, redirect } from "../http/response.ts";
import type { Site } from "../http/site.ts";
import { pagePath, signInPath } from "../identity/destination.ts";
import { sessionOperation } from "../identity/signed-in-page.ts";
import { findTeamsOf } from "../people/teams.ts";
import { rateLimiter } from "../table/rate-limits.ts";
import {
  findReturnAddress,
  parseAuthorizationRequest,
  type ReturnAddress,
  refusalUrl,
} from "./authorization-request.ts";
import { authorizationRequests, findPendingAuthorization } from "./authorization-store.ts";
import { isOnThisMachine, receiverOf } from "./client.ts";
import { consentPath, renderConsentPage } from "./consent-page.tsx";
import { authorizationRule } from "./limits.ts";
import { OAuthError } from "./oauth-error.ts";
import { showConsentRoute } from "./rows.ts";

/**
 * GET /oauth/authorize: handles a client's authorization request, to which the client redirects a person's browser. Stores the request
 * while the person signs in, and then asks the person for consent.
 */
export const showConsent = sessionOperation(showConsentRoute, async (input) => {
  const { request, site, signedIn, nowMs } = input;
  const sent = parseQuery(request.rawQuery);
  const [id = ""] = sent.request ?? [];
  if (sent.client_id !== undefined || id === "") return begin(input);
  const destination = { page: "authorize", request: id } as const;
  const asked = await findPendingAuthorization(id, site, nowMs);
  if (signedIn === undefined) return redirect(site.baseUrl + signInPath(pagePath(destination)));
  const [proofOf, teams] = await Promise.all([
    formProofs(signedIn.session.reference),
    findTeamsOf(signedIn.reader),
  ]);
  const { identity } = signedIn.reader;
  const proof = proofOf(`${consentPath}?${id}`);
  return page(
    "sign-in",
    (nonce) => renderConsentPage({ asked, destination, proof, identity, teams, nonce }),
    { leadsTo: asked.redirectUri },
  );
});

async function begin(input: OperationInput<typeof showConsentRoute>): Promise<HttpResponse> {
  const { request, site, nowMs } = input;
  const query = request.rawQuery;
  // Checks the rate limit first, because finding the client may send a request to the client's host.
  await rateLimiter.spend(authorizationRule, request.network, nowMs);
  const to = await findReturnAddress(query, nowMs);
  try {
    parseAuthorizationRequest(query, to, site);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return refuse(to, site, error);
  }
  const id = await authorizationRequests.store(query, nowMs);
  return redirect(site.baseUrl + pagePath({ page: "authorize", request: id }));
}

/**
 * Redirects to a program on the person's machine with an error. Does not redirect to a website, because an attacker could register one.
 * People are redirected to a website only after they decide on the consent page (RFC 9700, section 4.11.2).
 *
 * @throws ApiError `invalid_arg` for a website
 */
function refuse(to: ReturnAddress, site: Site, error: OAuthError): HttpResponse {
  const { redirectUri } = to;
  if (isOnThisMachine(redirectUri)) return redirect(refusalUrl(to, site, error));
  const host = receiverOf(redirectUri);
  const message = `The program at ${host} sent you here with a request that is not valid. ${error.message} Nothing was sent to ${host}.`;
  throw new ApiError("invalid_arg", { message, cause: error });
}
