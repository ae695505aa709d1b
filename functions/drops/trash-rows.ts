import { refusedOfUndeletion } from "../http/field-hints.ts";
import { errorCodes, type Route, writeErrors } from "../http/route.ts";
import { listTrashQuery } from "./queries.ts";
import { dropResponse, trashListResponse, undeleteDropBody } from "./schemas.ts";

const addition = "docs/adr/0099-trash.md";

/** GET /api/trash */
export const listTrashRoute = {
  id: "list-trash",
  resource: "drops",
  method: "GET",
  path: "/api/trash",
  host: "base",
  addition,
  summary: "Deleted and expired drops",
  caller: "token",
  countsAsWrite: false,
  query: listTrashQuery,
  explainParameter: () => "",
  response: { status: 200, json: trashListResponse },
  errors: ["unauthorized", "invalid_arg"],
  errorsAs: "json",
  grants: { table: { actions: ["Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

/** POST /api/drops/{slug}/undelete */
export const undeleteDropRoute = {
  id: "undelete-drop",
  resource: "drops",
  method: "POST",
  path: "/api/drops/{slug}/undelete",
  host: "base",
  addition,
  summary: "Bring a drop back from the trash",
  caller: "token",
  countsAsWrite: true,
  body: { json: undeleteDropBody, required: false },
  refusedFields: refusedOfUndeletion,
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
  errorsAs: "json",
  grants: {
    table: {
      actions: ["ConditionCheckItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["SLUG", "TOKEN", "USER"],
    },
    audit: true,
    settings: ["expiry"],
  },
} as const satisfies Route;

/** DELETE /api/trash/{slug} */
export const purgeDropRoute = {
  id: "purge-drop",
  resource: "drops",
  method: "DELETE",
  path: "/api/trash/{slug}",
  host: "base",
  addition,
  summary: "Delete it for good",
  caller: "token",
  countsAsWrite: true,
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes("unauthorized", "invalid_slug", "not_found", writeErrors),
  errorsAs: "json",
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "Query", "UpdateItem"], items: ["SLUG", "TOKEN", "USER"] },
    audit: true,
  },
} as const satisfies Route;
