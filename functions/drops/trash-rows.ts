import { apiRows } from "../http/route.ts";
import { listTrashQuery } from "./queries.ts";
import { dropResponse, trashListResponse, undeleteDropBody } from "./schemas.ts";

const apiRow = /* @__PURE__ */ apiRows({ resource: "drops", addition: "docs/adr/0093-expiry-and-trash.md" });

export const listTrashRoute = /* @__PURE__ */ apiRow("GET /api/trash", {
  id: "list-trash",
  summary: "Deleted and expired drops",
  query: listTrashQuery,
  refusesUnknownParameters: true,
  response: { status: 200, json: trashListResponse },
  grants: { table: { actions: ["Query"], items: ["USER"] } },
});

export const undeleteDropRoute = /* @__PURE__ */ apiRow("POST /api/drops/{slug}/undelete", {
  id: "undelete-drop",
  summary: "Bring a drop back from the trash",
  body: { json: undeleteDropBody, required: false },
  response: { status: 200, json: dropResponse },
  errors: ["quota_exceeded"],
  grants: {
    table: {
      actions: ["ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query"],
      items: ["SLUG", "USER"],
    },
    audit: true,
    settings: ["expiry"],
  },
});

export const purgeDropRoute = /* @__PURE__ */ apiRow("DELETE /api/trash/{slug}", {
  id: "purge-drop",
  summary: "Delete for good",
  response: { status: 204 },
  grants: { table: { actions: ["DeleteItem", "GetItem", "Query"], items: ["SLUG", "USER"] }, audit: true },
});
