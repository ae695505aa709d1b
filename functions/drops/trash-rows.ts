import { apiRoute, errorCodes, writeErrors } from "../http/route.ts";
import { listTrashQuery } from "./queries.ts";
import { dropResponse, trashListResponse, undeleteDropBody } from "./schemas.ts";

const addition = "docs/adr/0093-expiry-and-trash.md";

/** GET /api/trash */
export const listTrashRoute = /* @__PURE__ */ apiRoute({
  id: "list-trash",
  resource: "drops",
  method: "GET",
  path: "/api/trash",
  addition,
  summary: "Deleted and expired drops",
  query: listTrashQuery,
  refusesUnknownParameters: true,
  response: { status: 200, json: trashListResponse },
  errors: ["unauthorized", "invalid_arg"],
  grants: { table: { actions: ["Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
});

/** POST /api/drops/{slug}/undelete */
export const undeleteDropRoute = /* @__PURE__ */ apiRoute({
  id: "undelete-drop",
  resource: "drops",
  method: "POST",
  path: "/api/drops/{slug}/undelete",
  addition,
  summary: "Bring a drop back from the trash",
  body: { json: undeleteDropBody, required: false },
  response: { status: 200, json: dropResponse },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    "invalid_json",
    "invalid_arg",
    "not_found",
    "quota_exceeded",
    writeErrors,
  ),
  grants: {
    table: {
      actions: ["ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["SLUG", "TOKEN", "USER"],
    },
    audit: true,
    settings: ["expiry"],
  },
});

/** DELETE /api/trash/{slug} */
export const purgeDropRoute = /* @__PURE__ */ apiRoute({
  id: "purge-drop",
  resource: "drops",
  method: "DELETE",
  path: "/api/trash/{slug}",
  addition,
  summary: "Delete for good",
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes("unauthorized", "invalid_slug", "not_found", writeErrors),
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "Query", "UpdateItem"], items: ["SLUG", "TOKEN", "USER"] },
    audit: true,
  },
});
