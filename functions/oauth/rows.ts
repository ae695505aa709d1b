import * as z from "zod/mini";
import { accountActions, apiRows, pageRows } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

const addition = "docs/adr/0053-oauth.md";

const apiRow = /* @__PURE__ */ apiRows({ resource: "oauth", addition });
const pageRow = /* @__PURE__ */ pageRows({ resource: "oauth", addition });

export const showConsentRoute = /* @__PURE__ */ pageRow("GET /oauth/authorize", {
  id: "show-consent",
  summary: "The page where a person allows or refuses an MCP client",
  caller: "session",
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["invalid_arg", "rate_limited"],
  grants: {
    table: {
      actions: ["PutItem", "UpdateItem"],
      items: ["AUTHORIZATION", "CLIENT", "LIMIT", "TEAMRULE"],
    },
    settings: ["tokenDaysMax"],
  },
});

export const decideConsentRoute = /* @__PURE__ */ pageRow("POST /oauth/authorize", {
  id: "decide-consent",
  summary: "The form to allow or refuse an MCP client. The first approval creates an account",
  caller: "session",
  body: "form",
  response: { status: 303 },
  errors: ["invalid_arg", "quota_exceeded"],
  grants: {
    table: {
      actions: accountActions,
      items: ["AUTHORIZATION", "CLIENT", "GROUP", "NS", "TEAMRULE"],
    },
    audit: true,
    settings: ["tokensPerAccountMax"],
  },
});

export const issueTokenRoute = /* @__PURE__ */ apiRow("POST /oauth/token", {
  id: "issue-token",
  summary: "Issues an access token for a code, a refresh token, an assertion or a workflow's ID token",
  caller: "anyone",
  body: "form",
  response: { status: 200, content: "json" },
  errors: ["quota_exceeded"],
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

export const revokeGrantRoute = /* @__PURE__ */ apiRow("POST /oauth/revoke", {
  id: "revoke-grant",
  summary: "Ends an MCP client's access, given its access token or refresh token",
  caller: "anyone",
  body: "form",
  response: { status: 200, content: "json" },
  grants: {
    table: { actions: ["DeleteItem", "GetItem"], items: ["REFRESH", "TOKEN", "USER"] },
    audit: true,
  },
});

/** Accepts any JSON, because invalid metadata must be reported in the format of RFC 7591. */
const clientMetadataBody = /* @__PURE__ */ schema(() => z.unknown());

export const registerClientRoute = /* @__PURE__ */ apiRow("POST /oauth/register", {
  id: "register-client",
  summary: "Registers an MCP client that has no metadata document of its own",
  caller: "anyone",
  body: { json: clientMetadataBody, required: true },
  response: { status: 201, json: clientMetadataBody },
  grants: { secrets: ["cookieKey", "newCookieKey"] },
});
