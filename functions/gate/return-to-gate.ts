import { pageOperation } from "../http/page-operation.ts";
import { redirect } from "../http/response.ts";
import { parseDropDestination } from "../identity/destination.ts";
import { returnToGateRoute } from "./rows.ts";

/**
 * GET /p/{slug}/unlock: the address bar's address after a wrong passcode, opened again. It leads to where the gate stands, whether or
 * not there is such a drop.
 */
export const returnToGate = pageOperation(returnToGateRoute, async ({ path, query, site }) =>
  redirect(site.baseUrl + parseDropDestination(query.to, path.slug)),
);
