import { apiRows } from "../http/route.ts";
import { accessRequestListResponse, listAccessRequestsQuery } from "./schemas.ts";

// Routes for an owner to list and dismiss access requests. The specification does not define these routes.

const apiRow = /* @__PURE__ */ apiRows({
  resource: "access-requests",
  addition: "docs/adr/0070-feedback.md",
});

export const listAccessRequestsRoute = /* @__PURE__ */ apiRow("GET /api/access-requests", {
  id: "list-access-requests",
  summary: "Readers' requests for access; to grant one, add it to the drop's readers",
  query: listAccessRequestsQuery,
  response: { status: 200, json: accessRequestListResponse },
  grants: { table: { actions: ["BatchGetItem", "Query"], items: ["SLUG", "USER"] } },
});

export const dismissAccessRequestRoute = /* @__PURE__ */ apiRow("DELETE /api/access-requests/{slug}/{id}", {
  id: "dismiss-access-request",
  summary: "Dismiss a request for access",
  response: { status: 204 },
  grants: {
    table: { actions: ["ConditionCheckItem", "DeleteItem", "GetItem"], items: ["SLUG", "USER"] },
    audit: true,
  },
});
