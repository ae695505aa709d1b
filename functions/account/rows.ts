import { apiRows } from "../http/route.ts";
import { meResponse, tokenListResponse, usageResponse } from "./schemas.ts";

const apiRow = /* @__PURE__ */ apiRows({ resource: "account" });

export const getMeRoute = /* @__PURE__ */ apiRow("GET /api/me", {
  id: "get-me",
  summary: "Your account and token",
  response: { status: 200, json: meResponse },
  grants: { table: { actions: ["GetItem"], items: ["USER"] } },
});

export const getUsageRoute = /* @__PURE__ */ apiRow("GET /api/me/usage", {
  id: "get-usage",
  summary: "Account usage and limits",
  response: { status: 200, json: usageResponse },
  grants: { table: { actions: ["GetItem"], items: ["USER"] } },
});

export const listTokensRoute = /* @__PURE__ */ apiRow("GET /api/tokens", {
  id: "list-tokens",
  resource: "tokens",
  summary: "Your tokens",
  response: { status: 200, json: tokenListResponse },
  grants: { table: { actions: ["BatchGetItem", "Query"], items: ["USER"] } },
});

export const revokeTokenRoute = /* @__PURE__ */ apiRow("DELETE /api/tokens/{id}", {
  id: "revoke-token",
  resource: "tokens",
  // A token with any scope may revoke itself.
  scope: "read",
  summary: "Revoke a token",
  // A team's editor may revoke their own token.
  teamRole: "editor",
  countsAsWrite: false,
  response: { status: 204 },
  grants: { table: { actions: ["DeleteItem", "GetItem"], items: ["USER"] }, audit: true },
});
