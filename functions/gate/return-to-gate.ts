import { pageOperation } from "../http/page-operation.ts";
import { redirect } from "../http/response.ts";
import { parseDropDestination } from "../identity/destination.ts";
import { returnToGateRoute } from "./rows.ts";

/**
 * GET /p/{slug}/unlock: redirects to the passcode page, even for a missing drop. The URL is the form's action URL, which stays in the
 * address bar after a wrong passcode, so people may reload or reopen it.
 */
export const returnToGate = pageOperation(returnToGateRoute, async ({ path, query, site }) =>
  redirect(site.baseUrl + parseDropDestination(query.to, path.slug)),
);
