import * as z from "zod/mini";
import { freeText } from "../http/query.ts";
import { pageRoute } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

/** `?to=` of the gate's forms: the address of the same drop to return to; by default its viewer. */
const gateQuery = /* @__PURE__ */ schema(() => z.object({ to: z.catch(z._default(freeText(), ""), "") }));

/** POST /p/{slug}/unlock */
export const unlockDropRoute = /* @__PURE__ */ pageRoute({
  id: "unlock-drop",
  resource: "pages",
  method: "POST",
  path: "/p/{slug}/unlock",
  addition: '"correct passcode entered at the viewer"',
  summary: "The gate's form: the right passcode sets a cookie for seven days",
  query: gateQuery,
  body: "form",
  response: { status: 303 },
  errors: ["forbidden", "not_found", "rate_limited"],
  // A whole processor for the hash of a passcode: it takes as many gigabyte-seconds in a third of the time.
  memoryMegabytes: 1_769,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "UpdateItem"],
      items: ["IDP", "LIMIT", "MEMBER", "READER", "SCIM", "SLUG", "USER"],
    },
    secrets: ["cookieKey", "newCookieKey"],
    settings: ["members"],
  },
});

/** GET /p/{slug}/unlock */
export const returnToGateRoute = /* @__PURE__ */ pageRoute({
  id: "return-to-gate",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/unlock",
  addition: "docs/adr/0025-requests-at-the-edge.md",
  summary: "The address of the gate's form, opened in a window: redirects to the gate",
  query: gateQuery,
  response: { status: 302 },
  errors: ["not_found"],
  grants: {},
});

/** POST /p/{slug}/lock */
export const closeGateRoute = /* @__PURE__ */ pageRoute({
  id: "close-gate",
  resource: "pages",
  method: "POST",
  path: "/p/{slug}/lock",
  addition: "docs/adr/0002-rate-limits.md",
  summary: "Locks a drop again in this browser: ends the cookie of its gate",
  query: gateQuery,
  response: { status: 303 },
  errors: ["forbidden", "not_found"],
  grants: {},
});
