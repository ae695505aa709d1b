import { accountActions, apiRows, pageRows } from "../http/route.ts";
import {
  admitReaderQuery,
  authorizeQuery,
  callbackQuery,
  pollSignInQuery,
  reviewPoll,
  signInPollResponse,
  signInStartResponse,
  startSignInBody,
  verifyQuery,
} from "./schemas.ts";

const apiRow = /* @__PURE__ */ apiRows({ resource: "auth" });
const pageRow = /* @__PURE__ */ pageRows({ resource: "auth" });

const claimGrants = {
  table: {
    actions: ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"],
    items: ["CODE", "IDP", "MEMBER", "POLL", "SCIM", "TOKEN", "USER"],
  },
  audit: true,
  settings: ["members", "tokensPerAccountMax"],
} as const;

export const startSignInRoute = /* @__PURE__ */ apiRow("POST /api/auth/start", {
  id: "start-sign-in",
  summary: "Start a sign-in by code",
  caller: "anyone",
  body: { json: startSignInBody, required: false },
  response: { status: 200, json: signInStartResponse },
  errors: ["rate_limited"],
  grants: { table: { actions: ["PutItem", "UpdateItem"], items: ["CODE", "POLL", "LIMIT"] } },
});

export const pollSignInRoute = /* @__PURE__ */ apiRow("GET /api/auth/poll", {
  id: "poll-sign-in",
  summary: "Poll for the token",
  caller: "anyone",
  query: pollSignInQuery,
  review: reviewPoll,
  response: { status: 200, json: signInPollResponse },
  errors: ["token_required"],
  grants: claimGrants,
});

export const showVerifyPageRoute = /* @__PURE__ */ pageRow("GET /verify", {
  id: "show-verify-page",
  summary: "The page where the human compares the code and continues to sign in",
  query: verifyQuery,
  response: { status: 200, content: "html" },
  errors: ["invalid_arg", "expired_code", "rate_limited"],
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["CODE", "LIMIT"] },
    secrets: ["cookieKey", "newCookieKey"],
    settings: ["tokenDaysMax"],
  },
});

export const authorizeSignInRoute = /* @__PURE__ */ pageRow("GET /api/auth/idp/authorize", {
  id: "authorize-sign-in",
  summary: "Redirect to the identity provider with the device code as state",
  query: authorizeQuery,
  response: { status: 302 },
  errors: ["invalid_arg"],
  errorsAs: "negotiated",
  grants: { table: { actions: ["GetItem"], items: ["CODE"] }, secrets: ["cookieKey", "identityProvider"] },
});

export const completeSignInRoute = /* @__PURE__ */ pageRow("GET /api/auth/idp/callback", {
  id: "complete-sign-in",
  summary: "The identity provider's callback: finds or creates the account, and verifies the device code",
  query: callbackQuery,
  response: { status: 200, content: "html", alsoStatus: 303 },
  errors: ["forbidden", "invalid_arg", "quota_exceeded"],
  errorsAs: "negotiated",
  grants: {
    table: {
      actions: accountActions,
      items: ["CODE", "GROUP", "IDP", "MEMBER", "NS", "READER", "SCIM", "TEAMRULE", "USER"],
    },
    audit: true,
    secrets: ["cookieKey", "identityProvider"],
    settings: ["members", "readerSessionHours", "tokensPerAccountMax"],
  },
  memoryMegabytes: 1_024,
});

export const chooseAccountRoute = /* @__PURE__ */ pageRow("POST /login/account", {
  id: "choose-account",
  addition: "docs/adr/0123-teams.md",
  summary: "The form to choose the account for a new token",
  body: "form",
  response: { status: 200, content: "html" },
  errors: ["forbidden", "invalid_arg", "quota_exceeded"],
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["CODE", "IDP", "MEMBER", "SCIM", "TEAMRULE", "USER"],
    },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["members", "tokensPerAccountMax"],
  },
});

export const showLoginPageRoute = /* @__PURE__ */ pageRow("GET /login", {
  id: "show-login-page",
  addition: '"A sign-in page exists at `{base_url}/login`"',
  summary: "The sign-in page, with a field to type a device code",
  response: { status: 200, content: "html" },
  errors: ["forbidden"],
});

export const startBrowserSignInRoute = /* @__PURE__ */ pageRow("POST /login", {
  id: "start-browser-sign-in",
  addition: "A person can sign in without an agent.",
  summary: "The form to sign in without an agent. Only this browser can see the token",
  body: "form",
  response: { status: 303 },
  errors: ["forbidden", "invalid_arg", "rate_limited"],
  grants: { table: { actions: ["PutItem", "UpdateItem"], items: ["CODE", "POLL", "LIMIT"] } },
});

export const showTokenPageRoute = /* @__PURE__ */ pageRow("GET /login/token", {
  id: "show-token-page",
  addition: "A person without an agent can ask for a token.",
  summary: "The page to ask for a token without an agent",
  response: { status: 200, content: "html" },
  errors: ["forbidden"],
});

export const revealTokenRoute = /* @__PURE__ */ pageRow("POST /login/token", {
  id: "reveal-token",
  addition: "A person who signed in without an agent needs to see the token.",
  summary: "Shows the new token once, after a sign-in without an agent",
  body: "form",
  response: { status: 200, content: "html" },
  errors: ["forbidden", "invalid_arg", "expired_code", "quota_exceeded"],
  grants: claimGrants,
});

export const undoSignInRoute = /* @__PURE__ */ pageRow("POST /login/undo", {
  id: "undo-sign-in",
  addition: "A person who was tricked into a sign-in can undo it.",
  summary: "The form to undo a sign-in that was just confirmed",
  body: "form",
  response: { status: 200, content: "html" },
  errors: ["forbidden", "invalid_arg", "expired_code"],
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "UpdateItem"], items: ["CODE", "TOKEN", "USER"] },
    audit: true,
    secrets: ["cookieKey"],
  },
});

export const admitReaderRoute = /* @__PURE__ */ pageRow("GET /login/read", {
  id: "admit-reader",
  addition: "docs/adr/0026-guarded-drops.md",
  summary: "Sign-in for readers: redirects to the identity provider, and then back to the page",
  query: admitReaderQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden", "invalid_arg"],
  grants: {
    table: { actions: ["BatchGetItem", "GetItem"], items: ["IDP", "MEMBER", "READER", "SCIM", "USER"] },
    secrets: ["cookieKey", "newCookieKey", "identityProvider"],
    settings: ["members", "readTrail"],
  },
  memoryMegabytes: 1_024,
});

export const signOutReaderRoute = /* @__PURE__ */ pageRow("POST /login/sign-out", {
  id: "sign-out-reader",
  addition: "docs/adr/0026-guarded-drops.md",
  summary: "The form to sign a reader out, which ends their session",
  body: "form",
  response: { status: 200, content: "html" },
  errors: ["forbidden"],
  grants: { table: { actions: ["DeleteItem", "GetItem"], items: ["READER"] }, audit: true },
});
