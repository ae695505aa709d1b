import * as z from "zod/mini";
import { freeText } from "../http/query.ts";
import { pageRows } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

/** Query parameters of the passcode forms: `?to=` is the page of the same drop to return to. Default: the viewer. */
const gateQuery = /* @__PURE__ */ schema(() => z.object({ to: z.catch(z._default(freeText(), ""), "") }));

const pageRow = /* @__PURE__ */ pageRows({ resource: "pages" });

export const unlockDropRoute = /* @__PURE__ */ pageRow("POST /p/{slug}/unlock", {
  id: "unlock-drop",
  addition: '"correct passcode entered at the viewer"',
  summary: "Unlocks a drop in this browser for seven days, with its passcode",
  query: gateQuery,
  body: "form",
  response: { status: 303 },
  errors: ["forbidden", "rate_limited"],
  // Memory for a full vCPU. Hashing a passcode then takes a third of the time, at the same cost in gigabyte-seconds.
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

export const returnToGateRoute = /* @__PURE__ */ pageRow("GET /p/{slug}/unlock", {
  id: "return-to-gate",
  addition: "docs/adr/0025-requests-at-the-edge.md",
  summary: "Redirects from the form's address to the page with the form",
  query: gateQuery,
  response: { status: 302 },
});

export const closeGateRoute = /* @__PURE__ */ pageRow("POST /p/{slug}/lock", {
  id: "close-gate",
  addition: "docs/adr/0002-rate-limits.md",
  summary: "Locks a drop again in this browser: deletes its cookie",
  query: gateQuery,
  response: { status: 303 },
  errors: ["forbidden"],
});
