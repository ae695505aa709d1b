import { pageOperation } from "../platform/page-operation.ts";
import { requireSameOrigin } from "../platform/request-origin.ts";
import { seeOther } from "../platform/response.ts";
import { gatedPath } from "./gate-address.ts";
import { endedBrowserCookie, endedGateCookie } from "./gate-cookies.ts";
import { closeGateRoute } from "./rows.ts";

/**
 * POST /p/{slug}/lock: what opens the gate in this browser, on this host, ends, and what the gate knows the browser by. As whom
 * somebody has signed in stays. It needs no right, and tells nothing of whether there is such a drop.
 */
export const closeGate = pageOperation(closeGateRoute, async ({ request, host, path, query, site }) => {
  requireSameOrigin(request, site);
  const { slug } = path;
  return seeOther(gatedPath({ host, slug, ...query }), [endedGateCookie(slug), endedBrowserCookie(slug)]);
});
