import { accountActions, type Route } from "../http/route.ts";
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

/** POST /api/auth/start */
export const startSignInRoute = {
  id: "start-sign-in",
  resource: "auth",
  method: "POST",
  path: "/api/auth/start",
  host: "base",
  summary: "Start a device-code sign-in",
  caller: "anyone",
  countsAsWrite: false,
  body: { json: startSignInBody, required: false },
  response: { status: 200, json: signInStartResponse },
  errors: ["invalid_json", "invalid_arg", "rate_limited"],
  errorsAs: "json",
  grants: { table: { actions: ["PutItem", "UpdateItem"], items: ["CODE", "POLL", "LIMIT"] } },
} as const satisfies Route;

/** GET /api/auth/poll */
export const pollSignInRoute = {
  id: "poll-sign-in",
  resource: "auth",
  method: "GET",
  path: "/api/auth/poll",
  host: "base",
  summary: "Has the human signed in?",
  caller: "anyone",
  countsAsWrite: false,
  query: pollSignInQuery,
  review: reviewPoll,
  response: { status: 200, json: signInPollResponse },
  errors: ["token_required", "invalid_arg"],
  errorsAs: "json",
  grants: {
    table: {
      actions: ["GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["CODE", "POLL", "TOKEN", "USER"],
    },
    audit: true,
    settings: ["tokensPerAccountMax"],
  },
} as const satisfies Route;

/** GET /verify */
export const showVerifyPageRoute = {
  id: "show-verify-page",
  resource: "auth",
  method: "GET",
  path: "/verify",
  host: "base",
  summary: "The page where the human compares the code and continues to sign in",
  caller: "anyone",
  countsAsWrite: false,
  query: verifyQuery,
  response: { status: 200, content: "html" },
  errors: ["invalid_arg", "expired_code", "rate_limited"],
  errorsAs: "page",
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["CODE", "LIMIT"] },
    secrets: ["cookieKey", "newCookieKey"],
    settings: ["tokenDaysMax"],
  },
} as const satisfies Route;

/** GET /api/auth/idp/authorize */
export const authorizeSignInRoute = {
  id: "authorize-sign-in",
  resource: "auth",
  method: "GET",
  path: "/api/auth/idp/authorize",
  host: "base",
  summary: "Redirect to the identity provider with the device code as state",
  caller: "anyone",
  countsAsWrite: false,
  query: authorizeQuery,
  response: { status: 302 },
  errors: ["invalid_arg"],
  errorsAs: "negotiated",
  grants: {
    table: { actions: ["GetItem"], items: ["CODE"] },
    secrets: ["cookieKey", "identityProvider"],
  },
} as const satisfies Route;

/** GET /api/auth/idp/callback */
export const completeSignInRoute = {
  id: "complete-sign-in",
  resource: "auth",
  method: "GET",
  path: "/api/auth/idp/callback",
  host: "base",
  summary: "The identity provider's callback: creates or matches the account and verifies the device code",
  caller: "anyone",
  countsAsWrite: false,
  query: callbackQuery,
  response: { status: 200, content: "html", alsoStatus: 303 },
  errors: ["forbidden", "invalid_arg", "quota_exceeded"],
  errorsAs: "negotiated",
  grants: {
    table: {
      actions: accountActions,
      items: ["CODE", "GROUP", "IDP", "MEMBER", "NS", "READER", "SCIM", "USER"],
    },
    audit: true,
    secrets: ["cookieKey", "identityProvider"],
    settings: ["members", "readerSessionHours", "tokensPerAccountMax"],
  },
  memoryMegabytes: 1_024,
} as const satisfies Route;

/** GET /login */
export const showLoginPageRoute = {
  id: "show-login-page",
  resource: "auth",
  method: "GET",
  path: "/login",
  host: "base",
  addition: '"A sign-in page exists at `{base_url}/login`"',
  summary: "The sign-in page: explains sign-in and takes a code typed by hand",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "html" },
  errors: ["forbidden"],
  errorsAs: "page",
  grants: {},
} as const satisfies Route;

/** POST /login */
export const startBrowserSignInRoute = {
  id: "start-browser-sign-in",
  resource: "auth",
  method: "POST",
  path: "/login",
  host: "base",
  addition: "A person signs in without an agent.",
  summary: "The form of a person without an agent: starts a sign-in whose token only this browser can see",
  caller: "anyone",
  countsAsWrite: false,
  body: "form",
  response: { status: 303 },
  errors: ["forbidden", "invalid_arg", "rate_limited"],
  errorsAs: "page",
  grants: { table: { actions: ["PutItem", "UpdateItem"], items: ["CODE", "POLL", "LIMIT"] } },
} as const satisfies Route;

/** GET /login/token */
export const showTokenPageRoute = {
  id: "show-token-page",
  resource: "auth",
  method: "GET",
  path: "/login/token",
  host: "base",
  addition: "A person without an agent starts the sign-in here.",
  summary: "The page where a person without an agent asks for a token of their own",
  caller: "anyone",
  countsAsWrite: false,
  response: { status: 200, content: "html" },
  errors: ["forbidden"],
  errorsAs: "page",
  grants: {},
} as const satisfies Route;

/** POST /login/token */
export const revealTokenRoute = {
  id: "reveal-token",
  resource: "auth",
  method: "POST",
  path: "/login/token",
  host: "base",
  addition: "It shows the token to a person who signed in without an agent.",
  summary: "Shows a person without an agent their token, once",
  caller: "anyone",
  countsAsWrite: false,
  body: "form",
  response: { status: 200, content: "html" },
  errors: ["forbidden", "invalid_arg", "expired_code", "quota_exceeded"],
  errorsAs: "page",
  grants: {
    table: {
      actions: ["GetItem", "PutItem", "Query", "UpdateItem"],
      items: ["CODE", "POLL", "TOKEN", "USER"],
    },
    audit: true,
    settings: ["tokensPerAccountMax"],
  },
} as const satisfies Route;

/** POST /login/undo */
export const undoSignInRoute = {
  id: "undo-sign-in",
  resource: "auth",
  method: "POST",
  path: "/login/undo",
  host: "base",
  addition: "Whoever was tricked into a sign-in can undo it.",
  summary: "The form by which a person takes back a sign-in that they just confirmed",
  caller: "anyone",
  countsAsWrite: false,
  body: "form",
  response: { status: 200, content: "html" },
  errors: ["forbidden", "invalid_arg", "expired_code"],
  errorsAs: "page",
  grants: {
    table: { actions: ["DeleteItem", "GetItem", "UpdateItem"], items: ["CODE", "TOKEN", "USER"] },
    audit: true,
    secrets: ["cookieKey"],
  },
} as const satisfies Route;

/** GET /login/read */
export const admitReaderRoute = {
  id: "admit-reader",
  resource: "auth",
  method: "GET",
  path: "/login/read",
  host: "base",
  addition: "docs/adr/0075-guarded-drops-on-the-base-host.md",
  summary: "Sign-in for readers: on to the identity provider, and back to the page that they came from",
  caller: "anyone",
  countsAsWrite: false,
  query: admitReaderQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden", "invalid_arg"],
  errorsAs: "page",
  grants: {
    table: { actions: ["BatchGetItem", "GetItem"], items: ["IDP", "MEMBER", "READER", "SCIM", "USER"] },
    secrets: ["cookieKey", "newCookieKey", "identityProvider"],
    settings: ["members", "readTrail"],
  },
  memoryMegabytes: 1_024,
} as const satisfies Route;

/** POST /login/sign-out */
export const signOutReaderRoute = {
  id: "sign-out-reader",
  resource: "auth",
  method: "POST",
  path: "/login/sign-out",
  host: "base",
  addition: "docs/adr/0075-guarded-drops-on-the-base-host.md",
  summary: "The form by which a reader signs out: what their session has opened closes with it",
  caller: "anyone",
  countsAsWrite: false,
  body: "form",
  response: { status: 200, content: "html" },
  errors: ["forbidden"],
  errorsAs: "page",
  grants: { table: { actions: ["DeleteItem", "GetItem"], items: ["READER"] }, audit: true },
} as const satisfies Route;
