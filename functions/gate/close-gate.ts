import { pageOperation } from "../http/page-operation.ts";
import { hostCookie, seeOther } from "../http/response.ts";
import { requireSameOrigin } from "../http/site.ts";
import { parseDropDestination } from "../identity/destination.ts";
import { browserCookieName, gateCookieName } from "./gate-cookies.ts";
import { closeGateRoute } from "./rows.ts";

/**
 * POST /p/{slug}/lock: deletes a drop's passcode cookies in this browser. Readers stay signed in. The handler reads
 * nothing from the table, so the response does not reveal if the drop exists.
 */
export const closeGate = pageOperation(closeGateRoute, async ({ request, path, query, site }) => {
  requireSameOrigin(request, site);
  const { slug } = path;
  return seeOther(site.baseUrl + parseDropDestination(query.to, slug), [
    hostCookie(gateCookieName(slug), "", 0),
    hostCookie(browserCookieName(slug), "", 0),
  ]);
});
