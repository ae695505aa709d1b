import { apiRoute } from "../http/route.ts";
import { meResponse, tokenListResponse, usageResponse } from "./schemas.ts";

/** GET /api/me */
export const getMeRoute = /* @__PURE__ */ apiRoute({
  id: "get-me",
  resource: "account",
  method: "GET",
  path: "/api/me",
  summary: "Your account and token",
  response: { status: 200, json: meResponse },
  errors: ["unauthorized"],
  grants: { table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER"] } },
});

/** GET /api/me/usage */
export const getUsageRoute = /* @__PURE__ */ apiRoute({
  id: "get-usage",
  resource: "account",
  method: "GET",
  path: "/api/me/usage",
  summary: "Usage of the account's limits",
  response: { status: 200, json: usageResponse },
  errors: ["unauthorized"],
  grants: { table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER"] } },
});

/** GET /api/tokens */
export const listTokensRoute = /* @__PURE__ */ apiRoute({
  id: "list-tokens",
  resource: "tokens",
  method: "GET",
  path: "/api/tokens",
  summary: "Your tokens",
  response: { status: 200, json: tokenListResponse },
  errors: ["unauthorized"],
  grants: { table: { actions: ["BatchGetItem", "Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
});

/** DELETE /api/tokens/{id} */
export const revokeTokenRoute = /* @__PURE__ */ apiRoute({
  id: "revoke-token",
  resource: "tokens",
  method: "DELETE",
  path: "/api/tokens/{id}",
  // A token with less than all may revoke itself.
  scope: "read",
  summary: "Revoke a token",
  // An editor may revoke their own token.
  teamRole: "editor",
  countsAsWrite: false,
  response: { status: 204 },
  errors: ["unauthorized", "not_found"],
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "UpdateItem"], items: ["TOKEN", "USER"] },
    audit: true,
  },
});
