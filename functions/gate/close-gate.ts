import { pageOperation } from "../http/page-operation.ts";
import { seeOther } from "../http/response.ts";
import { requireSameOrigin } from "../http/site.ts";
import { parseDropDestination } from "../identity/destination.ts";
import { endedBrowserCookie, endedGateCookie } from "./gate-cookies.ts";
import { closeGateRoute } from "./rows.ts";

/**
 * POST /p/{slug}/lock: ends the cookies of a drop's gate in this browser. A reader's session stays. Nothing is looked
 * up, so the response does not reveal if the drop exists.
 */
export const closeGate = pageOperation(closeGateRoute, async ({ request, path, query, site }) => {
  requireSameOrigin(request, site);
  const { slug } = path;
  return seeOther(site.baseUrl + parseDropDestination(query.to, slug), [
    endedGateCookie(slug),
    endedBrowserCookie(slug),
  ]);
});
