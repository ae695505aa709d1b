import { noticedOfAccount } from "../http/parameter-hints.ts";
import type { Route } from "../http/route.ts";
import { meResponse, tokenListResponse, usageResponse } from "./schemas.ts";

/** GET /api/me */
export const getMeRoute = {
  id: "get-me",
  resource: "account",
  method: "GET",
  path: "/api/me",
  host: "base",
  summary: "The caller's account and token",
  caller: "token",
  countsAsWrite: false,
  refusedParameters: noticedOfAccount,
  response: { status: 200, json: meResponse },
  errors: ["unauthorized"],
  errorsAs: "json",
  grants: { table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

/** GET /api/me/usage */
export const getUsageRoute = {
  id: "get-usage",
  resource: "account",
  method: "GET",
  path: "/api/me/usage",
  host: "base",
  summary: "What the account uses of its limits",
  caller: "token",
  countsAsWrite: false,
  response: { status: 200, json: usageResponse },
  errors: ["unauthorized"],
  errorsAs: "json",
  grants: { table: { actions: ["GetItem", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

/** GET /api/tokens */
export const listTokensRoute = {
  id: "list-tokens",
  resource: "tokens",
  method: "GET",
  path: "/api/tokens",
  host: "base",
  summary: "The caller's tokens",
  caller: "token",
  countsAsWrite: false,
  response: { status: 200, json: tokenListResponse },
  errors: ["unauthorized"],
  errorsAs: "json",
  grants: { table: { actions: ["BatchGetItem", "Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

/** DELETE /api/tokens/{id} */
export const revokeTokenRoute = {
  id: "revoke-token",
  resource: "tokens",
  method: "DELETE",
  path: "/api/tokens/{id}",
  host: "base",
  summary: "Revoke a token",
  caller: "token",
  countsAsWrite: false,
  response: { status: 204 },
  errors: ["unauthorized", "not_found"],
  errorsAs: "json",
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "UpdateItem"], items: ["TOKEN", "USER"] },
    audit: true,
  },
} as const satisfies Route;
