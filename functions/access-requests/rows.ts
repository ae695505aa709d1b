import { apiRoute, errorCodes, writeErrors } from "../http/route.ts";
import { accessRequestListResponse, listAccessRequestsQuery } from "./schemas.ts";

// Additions to the specification: requests for access to a drop, for its owner.

const decision = "docs/adr/0070-feedback.md";

/** GET /api/access-requests */
export const listAccessRequestsRoute = /* @__PURE__ */ apiRoute({
  id: "list-access-requests",
  resource: "access-requests",
  method: "GET",
  path: "/api/access-requests",
  addition: decision,
  summary: "Readers' requests for access; to grant one, add it to the drop's readers",
  query: listAccessRequestsQuery,
  response: { status: 200, json: accessRequestListResponse },
  errors: ["unauthorized", "invalid_arg"],
  grants: {
    table: { actions: ["BatchGetItem", "Query", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
  },
});

/** DELETE /api/access-requests/{slug}/{id} */
export const dismissAccessRequestRoute = /* @__PURE__ */ apiRoute({
  id: "dismiss-access-request",
  resource: "access-requests",
  method: "DELETE",
  path: "/api/access-requests/{slug}/{id}",
  addition: decision,
  summary: "Dismiss a request for access",
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes("unauthorized", "invalid_slug", "not_found", writeErrors),
  grants: {
    table: {
      actions: ["ConditionCheckItem", "DeleteItem", "GetItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
  },
});
