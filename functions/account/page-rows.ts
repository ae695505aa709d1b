import { errorCodes, type Route, writeErrors } from "../http/route.ts";
import { doneQuery, listQuery } from "./list-page.ts";

/** Items that identify the reader behind a session. */
export const sessionItems = ["IDP", "MEMBER", "READER", "USER"] as const;

/** ADR that describes these pages. */
export const addition = "docs/adr/0045-account-pages.md";

/** GET /account */
export const showAccountRoute = {
  id: "show-account",
  resource: "account-pages",
  method: "GET",
  path: "/account",
  host: "base",
  addition,
  summary: "An owner's drops, for the owner",
  caller: "session",
  countsAsWrite: false,
  query: listQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden"],
  errorsAs: "page",
  // Up to 500 drops to go through.
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: [...sessionItems, "SLUG"] },
    settings: ["members", "renders"],
    cards: ["GetObject"],
  },
} as const satisfies Route;

/** GET /account/drops/{slug} */
export const showOwnDropRoute = {
  id: "show-own-drop",
  resource: "account-pages",
  method: "GET",
  path: "/account/drops/{slug}",
  host: "base",
  addition,
  summary: "A drop of an owner's, for the owner, and the forms that change it",
  caller: "session",
  countsAsWrite: false,
  query: doneQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden", "not_found"],
  errorsAs: "page",
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: [...sessionItems, "SLUG"] },
    reports: ["GetObject"],
    secrets: ["cookieKey"],
    settings: ["members", "visibility"],
  },
} as const satisfies Route;

/** POST /account/drops/{slug} */
export const editOwnDropRoute = {
  id: "edit-own-drop",
  resource: "account-pages",
  method: "POST",
  path: "/account/drops/{slug}",
  host: "base",
  addition,
  summary: "The form by which an owner changes a drop's title, description, or who may read it",
  caller: "session",
  countsAsWrite: true,
  body: "form",
  response: { status: 303 },
  errors: /* @__PURE__ */ errorCodes(
    "forbidden",
    "invalid_arg",
    "title_required",
    "title_too_long",
    "description_too_long",
    "not_found",
    "precondition_failed",
    writeErrors,
  ),
  errorsAs: "page",
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: [...sessionItems, "LIMIT", "SLUG"],
    },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["members", "visibility"],
  },
} as const satisfies Route;

/** POST /account/drops/{slug}/passcode */
export const lockOwnDropRoute = {
  id: "lock-own-drop",
  resource: "account-pages",
  method: "POST",
  path: "/account/drops/{slug}/passcode",
  host: "base",
  addition,
  summary: "The form by which an owner locks a drop with a passcode, or unlocks it",
  caller: "session",
  countsAsWrite: true,
  body: "form",
  response: { status: 303 },
  errors: /* @__PURE__ */ errorCodes(
    "forbidden",
    "invalid_arg",
    "passcode_required",
    "passcode_too_short",
    "not_found",
    "precondition_failed",
    writeErrors,
  ),
  errorsAs: "page",
  // A whole processor for the hash of a passcode.
  memoryMegabytes: 1_769,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      items: [...sessionItems, "LIMIT", "SLUG"],
    },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["members", "visibility"],
  },
} as const satisfies Route;

/** POST /account/drops/{slug}/delete */
export const deleteOwnDropRoute = {
  id: "delete-own-drop",
  resource: "account-pages",
  method: "POST",
  path: "/account/drops/{slug}/delete",
  host: "base",
  addition,
  summary: "The form by which an owner deletes a drop and all its versions",
  caller: "session",
  countsAsWrite: true,
  body: "form",
  response: { status: 303 },
  errors: /* @__PURE__ */ errorCodes(
    "forbidden",
    "invalid_arg",
    "not_found",
    "precondition_failed",
    writeErrors,
  ),
  errorsAs: "page",
  grants: {
    table: {
      actions: ["BatchGetItem", "DeleteItem", "GetItem", "Query", "UpdateItem"],
      items: [...sessionItems, "LIMIT", "SLUG"],
    },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["members", "visibility"],
  },
} as const satisfies Route;

/** POST /account/drops/{slug}/versions */
export const deleteOwnVersionRoute = {
  id: "delete-own-version",
  resource: "account-pages",
  method: "POST",
  path: "/account/drops/{slug}/versions",
  host: "base",
  addition,
  summary: "The form by which an owner deletes a version of a drop, never the last one",
  caller: "session",
  countsAsWrite: true,
  body: "form",
  response: { status: 303 },
  errors: /* @__PURE__ */ errorCodes(
    "forbidden",
    "invalid_arg",
    "not_found",
    "last_version_cannot_be_deleted",
    writeErrors,
  ),
  errorsAs: "page",
  grants: {
    table: {
      actions: ["BatchGetItem", "DeleteItem", "GetItem", "Query", "UpdateItem"],
      items: [...sessionItems, "LIMIT", "SLUG"],
    },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["members", "visibility"],
  },
} as const satisfies Route;

/** POST /account/drops/{slug}/restore */
export const restoreOwnVersionRoute = {
  id: "restore-own-version",
  resource: "account-pages",
  method: "POST",
  path: "/account/drops/{slug}/restore",
  host: "base",
  addition,
  summary: "The buttons by which an owner publishes an earlier version of a drop once more, as the newest",
  caller: "session",
  countsAsWrite: true,
  body: "form",
  response: { status: 303 },
  errors: /* @__PURE__ */ errorCodes(
    "forbidden",
    "invalid_arg",
    "not_found",
    "precondition_failed",
    "version_limit_reached",
    "quota_exceeded",
    writeErrors,
  ),
  errorsAs: "page",
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: [...sessionItems, "LIMIT", "SLUG"],
    },
    audit: true,
    pages: ["GetObject", "PutObject"],
    secrets: ["cookieKey"],
    settings: ["members", "pageBytesMax", "visibility"],
  },
} as const satisfies Route;

/** GET /account/tokens */
export const showOwnTokensRoute = {
  id: "show-own-tokens",
  resource: "account-pages",
  method: "GET",
  path: "/account/tokens",
  host: "base",
  addition,
  summary: "An owner's tokens, for the owner",
  caller: "session",
  countsAsWrite: false,
  query: doneQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden"],
  errorsAs: "page",
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: [...sessionItems, "TOKEN"] },
    secrets: ["cookieKey"],
    settings: ["members"],
  },
} as const satisfies Route;

/** POST /account/tokens/{id}/revoke */
export const revokeOwnTokenRoute = {
  id: "revoke-own-token",
  resource: "account-pages",
  method: "POST",
  path: "/account/tokens/{id}/revoke",
  host: "base",
  addition,
  summary: "The button by which an owner revokes a token",
  caller: "session",
  countsAsWrite: true,
  body: "form",
  response: { status: 303 },
  errors: /* @__PURE__ */ errorCodes("forbidden", "not_found", writeErrors),
  errorsAs: "page",
  grants: {
    table: {
      actions: ["BatchGetItem", "DeleteItem", "GetItem", "Query", "UpdateItem"],
      items: [...sessionItems, "LIMIT", "TOKEN"],
    },
    audit: true,
    secrets: ["cookieKey"],
    settings: ["members"],
  },
} as const satisfies Route;
