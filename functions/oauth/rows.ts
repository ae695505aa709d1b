import * as z from "zod/mini";
import { accountActions, apiRoute, errorCodes, pageRoute } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

const addition = "docs/adr/0053-oauth.md";

/** Items that identify the reader behind a session. */
const sessionItems = ["IDP", "MEMBER", "READER", "SCIM", "USER"] as const;

/** GET /oauth/authorize */
export const showConsentRoute = /* @__PURE__ */ pageRoute({
  id: "show-consent",
  resource: "oauth",
  method: "GET",
  path: "/oauth/authorize",
  addition,
  summary: "The page on which a person allows or refuses an MCP client",
  caller: "session",
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden", "invalid_arg", "rate_limited"],
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "PutItem", "UpdateItem"],
      items: [...sessionItems, "AUTHORIZATION", "CLIENT", "LIMIT", "TEAMRULE"],
    },
    secrets: ["cookieKey"],
    settings: ["members", "tokenDaysMax"],
  },
});

/** POST /oauth/authorize */
export const decideConsentRoute = /* @__PURE__ */ pageRoute({
  id: "decide-consent",
  resource: "oauth",
  method: "POST",
  path: "/oauth/authorize",
  addition,
  summary: "The form by which a person allows or refuses an MCP client. The first time creates an account",
  caller: "session",
  body: "form",
  response: { status: 303 },
  errors: ["forbidden", "invalid_arg", "quota_exceeded"],
  grants: {
    table: {
      actions: accountActions,
      items: [...sessionItems, "AUTHORIZATION", "CLIENT", "GROUP", "NS", "TEAMRULE"],
    },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["members", "tokensPerAccountMax"],
  },
});

/** POST /oauth/token */
export const issueTokenRoute = /* @__PURE__ */ apiRoute({
  id: "issue-token",
  resource: "oauth",
  method: "POST",
  path: "/oauth/token",
  addition,
  summary: "Issues an access token for a code, a refresh token, an assertion or a workflow's ID token",
  caller: "anyone",
  body: "form",
  response: { status: 200, content: "json" },
  errors: ["invalid_arg", "quota_exceeded"],
  grants: {
    table: {
      actions: accountActions,
      items: ["AUTHORIZATION", "CLIENT", "GROUP", "IDP", "MEMBER", "NS", "REFRESH", "SCIM", "TOKEN", "USER"],
    },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["enterpriseAuthorization", "githubActions", "members", "tokensPerAccountMax"],
  },
});

/** POST /oauth/revoke */
export const revokeGrantRoute = /* @__PURE__ */ apiRoute({
  id: "revoke-grant",
  resource: "oauth",
  method: "POST",
  path: "/oauth/revoke",
  addition,
  summary: "Ends an MCP client's access, by its access token or its refresh token",
  caller: "anyone",
  body: "form",
  response: { status: 200, content: "json" },
  errors: ["invalid_arg"],
  grants: {
    table: { actions: ["DeleteItem", "GetItem"], items: ["REFRESH", "TOKEN", "USER"] },
    audit: true,
  },
});

/** Any JSON: its problems are reported as RFC 7591 describes. */
const clientMetadataBody = /* @__PURE__ */ schema(() => z.unknown());

/** POST /oauth/register */
export const registerClientRoute = /* @__PURE__ */ apiRoute({
  id: "register-client",
  resource: "oauth",
  method: "POST",
  path: "/oauth/register",
  addition,
  summary: "Registers an MCP client that has no metadata document of its own",
  caller: "anyone",
  body: { json: clientMetadataBody, required: true },
  response: { status: 201, json: clientMetadataBody },
  errors: /* @__PURE__ */ errorCodes("invalid_json", "invalid_arg"),
  grants: { secrets: ["cookieKey", "newCookieKey"] },
});
