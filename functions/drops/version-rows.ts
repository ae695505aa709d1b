import { errorCodes, type Route, writeErrors } from "../platform/route.ts";
import { versionListResponse, versionResponse } from "./schemas.ts";

/** GET /api/drops/{slug}/versions */
export const listVersionsRoute = {
  id: "list-versions",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/versions",
  host: "base",
  summary: "A drop's versions, latest first",
  caller: "token",
  countsAsWrite: false,
  response: { status: 200, json: versionListResponse },
  errors: ["unauthorized", "invalid_slug", "not_found"],
  errorsAs: "json",
  grants: { table: { actions: ["GetItem", "Query", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] } },
} as const satisfies Route;

/** GET /api/drops/{slug}/v/{n} */
export const getVersionRoute = {
  id: "get-version",
  resource: "versions",
  method: "GET",
  path: "/api/drops/{slug}/v/{n}",
  host: "base",
  summary: "A version's size, time and whether it has context",
  caller: "token",
  countsAsWrite: false,
  response: { status: 200, json: versionResponse },
  errors: ["unauthorized", "invalid_slug", "not_found"],
  errorsAs: "json",
  grants: { table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] } },
} as const satisfies Route;

/** DELETE /api/drops/{slug}/v/{n} */
export const deleteVersionRoute = {
  id: "delete-version",
  resource: "versions",
  method: "DELETE",
  path: "/api/drops/{slug}/v/{n}",
  host: "base",
  summary: "Delete a version, never the last one",
  caller: "token",
  countsAsWrite: true,
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    "not_found",
    "last_version_cannot_be_deleted",
    writeErrors,
  ),
  errorsAs: "json",
  grants: {
    table: {
      actions: ["ConditionCheckItem", "DeleteItem", "GetItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
  },
} as const satisfies Route;
