import { pageOperation } from "../http/page-operation.ts";
import { redirect } from "../http/response.ts";
import { parseDropDestination } from "../identity/destination.ts";
import { returnToGateRoute } from "./rows.ts";

/**
 * GET /p/{slug}/unlock: the form's address, opened from the address bar after a wrong passcode. It redirects to the
 * gate, even for a missing drop.
 */
export const returnToGate = pageOperation(returnToGateRoute, async ({ path, query, site }) =>
  redirect(site.baseUrl + parseDropDestination(query.to, path.slug)),
);
