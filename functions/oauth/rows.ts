import * as z from "zod/mini";
import { accountActions, errorCodes, type Route } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

const addition = "docs/adr/0053-oauth-authorization-server.md";

/** Items that identify the reader behind a session. */
const sessionItems = ["IDP", "MEMBER", "READER", "SCIM", "USER"] as const;

/** GET /oauth/authorize */
export const showConsentRoute = {
  id: "show-consent",
  resource: "oauth",
  method: "GET",
  path: "/oauth/authorize",
  host: "base",
  addition,
  summary: "The page on which somebody lets an MCP client in, or does not",
  caller: "session",
  countsAsWrite: false,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden", "invalid_arg", "rate_limited"],
  errorsAs: "page",
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "PutItem", "UpdateItem"],
      items: [...sessionItems, "AUTHORIZATION", "CLIENT", "LIMIT"],
    },
    secrets: ["cookieKey"],
    settings: ["members", "tokenDaysMax"],
  },
} as const satisfies Route;

/** POST /oauth/authorize */
export const decideConsentRoute = {
  id: "decide-consent",
  resource: "oauth",
  method: "POST",
  path: "/oauth/authorize",
  host: "base",
  addition,
  summary: "The form by which somebody lets an MCP client in, or does not; the first time makes an account",
  caller: "session",
  countsAsWrite: false,
  body: "form",
  response: { status: 303 },
  errors: ["forbidden", "invalid_arg", "quota_exceeded"],
  errorsAs: "page",
  grants: {
    table: {
      actions: accountActions,
      items: [...sessionItems, "AUTHORIZATION", "CLIENT", "GROUP", "NS"],
    },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["members", "tokensPerAccountMax"],
  },
} as const satisfies Route;

/** POST /oauth/token */
export const issueTokenRoute = {
  id: "issue-token",
  resource: "oauth",
  method: "POST",
  path: "/oauth/token",
  host: "base",
  addition,
  summary:
    "Gives an MCP client its access token for a code or an assertion, and the next for a refresh token; gives a workflow a token for its ID token",
  caller: "anyone",
  countsAsWrite: false,
  body: "form",
  response: { status: 200, content: "json" },
  errors: ["invalid_arg", "quota_exceeded"],
  errorsAs: "json",
  grants: {
    table: {
      actions: accountActions,
      items: ["AUTHORIZATION", "CLIENT", "GROUP", "IDP", "MEMBER", "NS", "REFRESH", "SCIM", "TOKEN", "USER"],
    },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["enterpriseAuthorization", "githubActions", "members", "tokensPerAccountMax"],
  },
} as const satisfies Route;

/** POST /oauth/revoke */
export const revokeGrantRoute = {
  id: "revoke-grant",
  resource: "oauth",
  method: "POST",
  path: "/oauth/revoke",
  host: "base",
  addition,
  summary: "Ends what an MCP client was let do, by its access token or its refresh token",
  caller: "anyone",
  countsAsWrite: false,
  body: "form",
  response: { status: 200, content: "json" },
  errors: ["invalid_arg"],
  errorsAs: "json",
  grants: {
    table: { actions: ["DeleteItem", "GetItem"], items: ["REFRESH", "TOKEN", "USER"] },
    audit: true,
  },
} as const satisfies Route;

/** Any JSON: its problems are reported as RFC 7591 describes. */
const clientMetadataBody = /* @__PURE__ */ schema(() => z.unknown());

/** POST /oauth/register */
export const registerClientRoute = {
  id: "register-client",
  resource: "oauth",
  method: "POST",
  path: "/oauth/register",
  host: "base",
  addition,
  summary: "Registers an MCP client that has no metadata document of its own",
  caller: "anyone",
  countsAsWrite: false,
  body: { json: clientMetadataBody, required: true },
  response: { status: 201, json: clientMetadataBody },
  errors: /* @__PURE__ */ errorCodes("invalid_json", "invalid_arg"),
  errorsAs: "json",
  grants: { secrets: ["cookieKey", "newCookieKey"] },
} as const satisfies Route;
