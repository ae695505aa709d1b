import {
  blobAnswer,
  dropAnswer,
  dropListAnswer,
  meAnswer,
  signInPollAnswer,
  signInStartAnswer,
  tokenListAnswer,
  usageAnswer,
  versionAnswer,
  versionListAnswer,
} from "./answers.ts";
import {
  listAgentSkillsRoute,
  readAgentSkillRoute,
  readApiCatalogRoute,
  readLlmsTxtRoute,
  readOnboardingRoute,
  readOpenApiRoute,
  readReferenceAssetRoute,
  readRobotsTxtRoute,
  readSecurityTxtRoute,
  showReferenceRoute,
} from "./discovery-routes.ts";
import { callMcpRoute } from "./mcp-routes.ts";
import { publishedListAdditions } from "./published-client.ts";
import {
  authorizeQuery,
  callbackQuery,
  contextQuery,
  deviceCodeQuery,
  listDropsQuery,
  ownerPageQuery,
  pinnedVersionQuery,
  pollSignInQuery,
  unlockQuery,
  uploadBlobQuery,
} from "./queries.ts";
import {
  editDropBody,
  publishDropBody,
  publishVersionBody,
  setPasscodeBody,
  startSignInBody,
} from "./requests.ts";
import type { Grants, Route } from "./route.ts";
import { completeUploadRoute, startUploadRoute } from "./upload-routes.ts";
import { upsertDropRoute } from "./upsert-route.ts";

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
  answer: { status: 200, json: signInStartAnswer },
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
  summary: "Ask whether the human has signed in; gives the API token once",
  caller: "anyone",
  countsAsWrite: false,
  query: pollSignInQuery,
  answer: { status: 200, json: signInPollAnswer },
  errors: ["token_required", "invalid_arg"],
  errorsAs: "json",
  grants: {
    table: {
      actions: ["ConditionCheckItem", "GetItem", "PutItem", "UpdateItem"],
      items: ["CODE", "POLL", "TOKEN", "USER"],
    },
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
  query: deviceCodeQuery,
  answer: { status: 200, content: "html" },
  errors: ["invalid_arg", "expired_code", "rate_limited"],
  errorsAs: "page",
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["CODE", "LIMIT"] },
    secrets: ["cookieKey"],
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
  answer: { status: 302 },
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
  answer: { status: 200, content: "html" },
  errors: ["invalid_arg"],
  errorsAs: "negotiated",
  grants: {
    table: { actions: ["GetItem", "PutItem", "UpdateItem"], items: ["CODE", "IDP", "NS", "USER"] },
    secrets: ["cookieKey", "identityProvider"],
  },
} as const satisfies Route;

/** GET /login */
export const showLoginPageRoute = {
  id: "show-login-page",
  resource: "auth",
  method: "GET",
  path: "/login",
  host: "base",
  summary: "The sign-in page: explains sign-in and takes a code typed by hand",
  caller: "anyone",
  countsAsWrite: false,
  answer: { status: 200, content: "html" },
  errors: [],
  errorsAs: "page",
  grants: {},
} as const satisfies Route;

/** POST /login */
export const startOwnSignInRoute = {
  id: "start-own-sign-in",
  resource: "auth",
  method: "POST",
  path: "/login",
  host: "base",
  summary: "The form of a person without an agent: starts a sign-in whose token only this browser can see",
  caller: "anyone",
  countsAsWrite: false,
  body: "form",
  answer: { status: 303 },
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
  summary: "The page where a person without an agent asks for a token of their own",
  caller: "anyone",
  countsAsWrite: false,
  answer: { status: 200, content: "html" },
  errors: [],
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
  summary: "Shows a person without an agent their token, once",
  caller: "anyone",
  countsAsWrite: false,
  body: "form",
  answer: { status: 200, content: "html" },
  errors: ["forbidden", "invalid_arg", "expired_code"],
  errorsAs: "page",
  grants: {
    table: {
      actions: ["ConditionCheckItem", "GetItem", "PutItem", "UpdateItem"],
      items: ["CODE", "POLL", "TOKEN", "USER"],
    },
  },
} as const satisfies Route;

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
  answer: { status: 200, json: meAnswer },
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
  answer: { status: 200, json: usageAnswer },
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
  answer: { status: 200, json: tokenListAnswer },
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
  answer: { status: 204 },
  errors: ["unauthorized", "not_found"],
  errorsAs: "json",
  grants: { table: { actions: ["DeleteItem", "GetItem", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

/** POST /api/blobs */
export const uploadBlobRoute = {
  id: "upload-blob",
  resource: "blobs",
  method: "POST",
  path: "/api/blobs",
  host: "base",
  summary: "Upload a file",
  caller: "token",
  countsAsWrite: true,
  query: uploadBlobQuery,
  headers: ["Idempotency-Key"],
  body: "bytes",
  answer: { status: 201, json: blobAnswer },
  errors: [
    "unauthorized",
    "invalid_filename",
    "invalid_arg",
    "empty_blob",
    "blob_too_large",
    "rate_limited",
    "daily_quota_exceeded",
    "quota_exceeded",
  ],
  errorsAs: "json",
  grants: {
    table: { actions: ["GetItem", "PutItem", "UpdateItem"], items: ["TOKEN", "USER"] },
    blobs: ["DeleteObject", "PutObject"],
  },
} as const satisfies Route;

/** DELETE /api/blobs/{id} */
export const deleteBlobRoute = {
  id: "delete-blob",
  resource: "blobs",
  method: "DELETE",
  path: "/api/blobs/{id}",
  host: "base",
  summary: "Delete a file",
  caller: "token",
  countsAsWrite: false,
  answer: { status: 204 },
  errors: ["unauthorized", "invalid_id", "not_found"],
  errorsAs: "json",
  grants: { table: { actions: ["DeleteItem", "GetItem", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

/** GET /b/{id} */
export const serveBlobRoute = {
  id: "serve-blob",
  resource: "blobs",
  method: "GET",
  path: "/b/{id}",
  host: "owner",
  summary: "A file's bytes: images, video and audio inline, everything else as a download",
  caller: "anyone",
  countsAsWrite: false,
  answer: { status: 200, content: "bytes" },
  errors: ["not_found"],
  errorsAs: "page",
  grants: {},
  servedBy: "bucket",
} as const satisfies Route;

/** GET /api/drops */
export const listDropsRoute = {
  id: "list-drops",
  resource: "drops",
  method: "GET",
  path: "/api/drops",
  host: "base",
  summary: "The caller's drops, filtered by metadata, sorted and paged",
  caller: "token",
  countsAsWrite: false,
  query: listDropsQuery,
  answer: { status: 200, json: dropListAnswer, additions: publishedListAdditions },
  errors: ["unauthorized", "invalid_arg"],
  errorsAs: "json",
  grants: { table: { actions: ["Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

/** POST /api/drops */
export const publishDropRoute = {
  id: "publish-drop",
  resource: "drops",
  method: "POST",
  path: "/api/drops",
  host: "base",
  summary: "Publish a page and get its permanent URL",
  caller: "token",
  countsAsWrite: true,
  headers: ["Idempotency-Key"],
  body: { json: publishDropBody, required: true },
  answer: { status: 201, json: dropAnswer },
  errors: [
    "unauthorized",
    "invalid_json",
    "invalid_arg",
    "html_required",
    "html_too_large",
    "title_required",
    "title_too_long",
    "description_too_long",
    "context_too_large",
    "passcode_too_short",
    "rate_limited",
    "daily_quota_exceeded",
    "quota_exceeded",
  ],
  errorsAs: "json",
  grants: {
    table: { actions: ["GetItem", "PutItem", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    pages: ["PutObject"],
  },
} as const satisfies Route;

/** GET /api/drops/{slug} */
export const getDropRoute = {
  id: "get-drop",
  resource: "drops",
  method: "GET",
  path: "/api/drops/{slug}",
  host: "base",
  summary: "A drop",
  caller: "token",
  countsAsWrite: false,
  answer: { status: 200, json: dropAnswer },
  errors: ["unauthorized", "invalid_slug", "not_found"],
  errorsAs: "json",
  grants: { table: { actions: ["Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

/** PUT /api/drops/{slug} */
export const publishVersionRoute = {
  id: "publish-version",
  resource: "drops",
  method: "PUT",
  path: "/api/drops/{slug}",
  host: "base",
  summary: "Publish a new version of a drop; its URL stays",
  caller: "token",
  countsAsWrite: true,
  headers: ["If-Match"],
  body: { json: publishVersionBody, required: true },
  answer: { status: 200, json: dropAnswer },
  errors: [
    "unauthorized",
    "invalid_slug",
    "invalid_json",
    "invalid_arg",
    "html_required",
    "html_too_large",
    "title_required",
    "title_too_long",
    "description_too_long",
    "context_too_large",
    "not_found",
    "rate_limited",
    "daily_quota_exceeded",
    "version_limit_reached",
  ],
  errorsAs: "json",
  grants: {
    table: { actions: ["PutItem", "Query", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
    pages: ["PutObject"],
  },
} as const satisfies Route;

/** PATCH /api/drops/{slug} */
export const editDropRoute = {
  id: "edit-drop",
  resource: "drops",
  method: "PATCH",
  path: "/api/drops/{slug}",
  host: "base",
  summary: "Change a drop's title, description or metadata",
  caller: "token",
  countsAsWrite: true,
  headers: ["If-Match"],
  body: { json: editDropBody, required: false },
  answer: { status: 200, json: dropAnswer },
  errors: [
    "unauthorized",
    "invalid_slug",
    "invalid_json",
    "invalid_arg",
    "metadata_only_on_patch",
    "title_required",
    "title_too_long",
    "description_too_long",
    "not_found",
    "rate_limited",
    "daily_quota_exceeded",
  ],
  errorsAs: "json",
  grants: { table: { actions: ["Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

/** DELETE /api/drops/{slug} */
export const deleteDropRoute = {
  id: "delete-drop",
  resource: "drops",
  method: "DELETE",
  path: "/api/drops/{slug}",
  host: "base",
  summary: "Delete a drop and all its versions",
  caller: "token",
  countsAsWrite: true,
  headers: ["If-Match"],
  answer: { status: 204 },
  errors: ["unauthorized", "invalid_slug", "not_found", "rate_limited", "daily_quota_exceeded"],
  errorsAs: "json",
  grants: { table: { actions: ["DeleteItem", "Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

/** POST /api/drops/{slug}/passcode */
export const setPasscodeRoute = {
  id: "set-passcode",
  resource: "drops",
  method: "POST",
  path: "/api/drops/{slug}/passcode",
  host: "base",
  summary: "Lock a drop with a passcode, or unlock it with the empty string",
  caller: "token",
  countsAsWrite: true,
  headers: ["If-Match"],
  body: { json: setPasscodeBody, required: true },
  answer: { status: 200, json: dropAnswer },
  errors: [
    "unauthorized",
    "invalid_slug",
    "invalid_json",
    "invalid_arg",
    "passcode_required",
    "passcode_too_short",
    "not_found",
    "rate_limited",
    "daily_quota_exceeded",
  ],
  errorsAs: "json",
  grants: { table: { actions: ["Query", "UpdateItem"], items: ["TOKEN", "USER"] } },
} as const satisfies Route;

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
  answer: { status: 200, json: versionListAnswer },
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
  answer: { status: 200, json: versionAnswer },
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
  answer: { status: 204 },
  errors: [
    "unauthorized",
    "invalid_slug",
    "not_found",
    "last_version_cannot_be_deleted",
    "rate_limited",
    "daily_quota_exceeded",
  ],
  errorsAs: "json",
  grants: {
    table: {
      actions: ["ConditionCheckItem", "DeleteItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
  },
} as const satisfies Route;

/** GET /p/{slug} */
export const viewDropRoute = {
  id: "view-drop",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}",
  host: "any",
  alsoAt: { path: "/d/{slug}", host: "owner" },
  summary: "The viewer: title, version picker and the page in a sandboxed frame",
  caller: "anyone",
  countsAsWrite: false,
  query: pinnedVersionQuery,
  answer: { status: 200, content: "html" },
  errors: ["not_found"],
  errorsAs: "page",
  grants: {
    secrets: ["cookieKey"],
    queues: ["views"],
    table: { actions: ["GetItem", "Query"], items: ["USER", "SLUG"] },
  },
} as const satisfies Route;

/** GET /p/{slug}/raw */
export const readRawPageRoute = {
  id: "read-raw-page",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/raw",
  host: "any",
  summary: "The published page itself",
  caller: "anyone",
  countsAsWrite: false,
  query: pinnedVersionQuery,
  answer: { status: 200, content: "html" },
  errors: ["not_found"],
  errorsAs: "page",
  grants: {
    secrets: ["cookieKey"],
    table: { actions: ["GetItem"], items: ["USER", "SLUG"] },
    pages: ["GetObject"],
  },
} as const satisfies Route;

/** GET /p/{slug}/context */
export const readContextRoute = {
  id: "read-context",
  resource: "pages",
  method: "GET",
  path: "/p/{slug}/context",
  host: "any",
  summary: "The context stored with a version",
  caller: "anyone",
  countsAsWrite: false,
  query: contextQuery,
  answer: { status: 200, content: "text" },
  errors: ["forbidden", "not_found"],
  errorsAs: "negotiated",
  grants: {
    secrets: ["cookieKey"],
    table: { actions: ["GetItem"], items: ["USER", "SLUG"] },
    pages: ["GetObject"],
  },
} as const satisfies Route;

/** POST /p/{slug}/unlock */
export const unlockDropRoute = {
  id: "unlock-drop",
  resource: "pages",
  method: "POST",
  path: "/p/{slug}/unlock",
  host: "any",
  summary: "The gate's form: a right passcode sets a cookie for seven days",
  caller: "anyone",
  countsAsWrite: false,
  query: unlockQuery,
  body: "form",
  answer: { status: 303 },
  errors: ["forbidden", "not_found", "rate_limited"],
  errorsAs: "page",
  grants: {
    table: { actions: ["GetItem", "UpdateItem"], items: ["LIMIT", "SLUG", "USER"] },
    secrets: ["cookieKey"],
  },
} as const satisfies Route;

/** GET / */
export const showHomePageRoute = {
  id: "show-home-page",
  resource: "pages",
  method: "GET",
  path: "/",
  host: "base",
  summary: "What this is, for people and for agents",
  caller: "anyone",
  countsAsWrite: false,
  answer: { status: 200, content: "html" },
  errors: [],
  errorsAs: "page",
  grants: {},
} as const satisfies Route;

/** GET /owner */
export const showOwnerPageRoute = {
  id: "show-owner-page",
  resource: "pages",
  method: "GET",
  path: "/owner",
  host: "owner",
  summary: "An owner's public page: drops and files",
  caller: "anyone",
  countsAsWrite: false,
  query: ownerPageQuery,
  answer: { status: 200, content: "html" },
  errors: ["not_found"],
  errorsAs: "page",
  grants: { table: { actions: ["GetItem", "Query"], items: ["NS", "USER"] } },
} as const satisfies Route;

/** GET /{proxy+} */
export const answerNotFoundRoute = {
  id: "answer-not-found",
  resource: "pages",
  method: "GET",
  path: "/{proxy+}",
  host: "any",
  summary: "Every other address: the styled 404 page, or JSON under /api",
  caller: "anyone",
  countsAsWrite: false,
  answer: { status: 200, content: "html" },
  errors: ["not_found"],
  errorsAs: "negotiated",
  grants: {},
} as const satisfies Route;

/**
 * The operations of the service, one row each: section "Endpoints" of the specification as data. The stack builds
 * functions, paths and permissions from these rows; the Lambda wrapper authenticates, limits and parses by them.
 * The key is the operation's id and the file name of its handler. A handler imports its own row only, so that its
 * bundle holds no other.
 */
export const routes = {
  "start-sign-in": startSignInRoute,
  "poll-sign-in": pollSignInRoute,
  "show-verify-page": showVerifyPageRoute,
  "authorize-sign-in": authorizeSignInRoute,
  "complete-sign-in": completeSignInRoute,
  "show-login-page": showLoginPageRoute,
  "start-own-sign-in": startOwnSignInRoute,
  "show-token-page": showTokenPageRoute,
  "reveal-token": revealTokenRoute,
  "get-me": getMeRoute,
  "get-usage": getUsageRoute,
  "list-tokens": listTokensRoute,
  "revoke-token": revokeTokenRoute,
  "upload-blob": uploadBlobRoute,
  "delete-blob": deleteBlobRoute,
  "start-upload": startUploadRoute,
  "complete-upload": completeUploadRoute,
  "serve-blob": serveBlobRoute,
  "list-drops": listDropsRoute,
  "publish-drop": publishDropRoute,
  "upsert-drop": upsertDropRoute,
  "get-drop": getDropRoute,
  "publish-version": publishVersionRoute,
  "edit-drop": editDropRoute,
  "delete-drop": deleteDropRoute,
  "set-passcode": setPasscodeRoute,
  "list-versions": listVersionsRoute,
  "get-version": getVersionRoute,
  "delete-version": deleteVersionRoute,
  "view-drop": viewDropRoute,
  "read-raw-page": readRawPageRoute,
  "read-context": readContextRoute,
  "unlock-drop": unlockDropRoute,
  "show-home-page": showHomePageRoute,
  "show-owner-page": showOwnerPageRoute,
  "read-open-api": readOpenApiRoute,
  "show-reference": showReferenceRoute,
  "read-reference-asset": readReferenceAssetRoute,
  "read-llms-txt": readLlmsTxtRoute,
  "read-onboarding": readOnboardingRoute,
  "list-agent-skills": listAgentSkillsRoute,
  "read-agent-skill": readAgentSkillRoute,
  "read-api-catalog": readApiCatalogRoute,
  "read-robots-txt": readRobotsTxtRoute,
  "read-security-txt": readSecurityTxtRoute,
  "call-mcp": callMcpRoute,
  "answer-not-found": answerNotFoundRoute,
} as const satisfies Record<string, Route>;

/** The id of an operation: the key of its row. */
export type OperationId = keyof typeof routes;

/** The ids in the table's order. */
export const operationIds = /* @__PURE__ */ Object.keys(routes) as OperationId[];

/** A row, with the optional columns visible. */
export function routeOf(id: OperationId): Route {
  return routes[id];
}

/** What a row's function may touch: what the row grants, and what the rows grant whose operations it carries out. */
export function grantsOf(id: OperationId): readonly Grants[] {
  const { grants, performs = [] } = routeOf(id);
  return [grants, ...performs.map((performed) => routeOf(performed as OperationId).grants)];
}
