import { pageOperation } from "../platform/page-operation.ts";
import { redirect } from "../platform/response.ts";
import { gatedPath } from "./gate-address.ts";
import { returnToGateRoute } from "./rows.ts";

/**
 * GET /p/{slug}/unlock: what stands in the address bar after a wrong passcode, opened again or by somebody else. It leads to where
 * the gate stands, whether there is such a drop or not: what is there is said there.
 */
export const returnToGate = pageOperation(returnToGateRoute, async ({ host, path, query }) =>
  redirect(gatedPath({ host, slug: path.slug, ...query })),
);
