import { refusedOfReply, refusedOfResolution } from "../http/field-hints.ts";
import { refusedOfFeedback } from "../http/parameter-hints.ts";
import { errorCodes, type Route, writeErrors } from "../http/route.ts";
import {
  feedbackListResponse,
  listFeedbackQuery,
  listFeedbackToolQuery,
  replyBody,
  replyResponse,
  resolveBody,
  threadResponse,
} from "./schemas.ts";

// Additions to the specification: what readers write about a drop, as its owner gets it.

const decision = "docs/adr/0070-feedback-api.md";

/** GET /api/feedback */
export const listFeedbackRoute = {
  id: "list-feedback",
  resource: "feedback",
  method: "GET",
  path: "/api/feedback",
  host: "base",
  addition: decision,
  summary: "What readers have written, as data",
  caller: "token",
  countsAsWrite: false,
  query: listFeedbackQuery,
  refusedParameters: refusedOfFeedback,
  response: { status: 200, json: feedbackListResponse },
  errors: ["unauthorized", "invalid_arg", "not_found"],
  errorsAs: "json",
  // It waits for most of its time.
  memoryMegabytes: 256,
  grants: {
    table: {
      actions: ["BatchGetItem", "GetItem", "UpdateItem"],
      items: ["LIMIT", "TOKEN", "USER", "SLUG"],
    },
    pages: ["GetObject"],
    words: ["PutObject"],
    settings: ["concurrentExecutions"],
  },
} as const satisfies Route;

/** The tool `list_feedback` waits less long: some clients give up a call that takes longer. */
export const listFeedbackToolRow = {
  ...listFeedbackRoute,
  query: listFeedbackToolQuery,
} as const satisfies Route;

/** POST /api/drops/{slug}/feedback/{thread}/replies */
export const replyToFeedbackRoute = {
  id: "reply-to-feedback",
  resource: "feedback",
  method: "POST",
  path: "/api/drops/{slug}/feedback/{thread}/replies",
  host: "base",
  addition: decision,
  summary: "Reply to a reader",
  caller: "token",
  countsAsWrite: true,
  headers: ["Idempotency-Key"],
  body: { json: replyBody, required: true },
  refusedFields: refusedOfReply,
  response: { status: 201, json: replyResponse },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    "invalid_json",
    "invalid_arg",
    "not_found",
    writeErrors,
    "quota_exceeded",
  ),
  errorsAs: "json",
  grants: {
    table: {
      actions: ["BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
  },
} as const satisfies Route;

/** PATCH /api/drops/{slug}/feedback/{thread} */
export const resolveFeedbackRoute = {
  id: "resolve-feedback",
  resource: "feedback",
  method: "PATCH",
  path: "/api/drops/{slug}/feedback/{thread}",
  host: "base",
  addition: decision,
  summary: "Resolve a thread, or open it",
  caller: "token",
  countsAsWrite: true,
  body: { json: resolveBody, required: true },
  refusedFields: refusedOfResolution,
  response: { status: 200, json: threadResponse },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    "invalid_json",
    "invalid_arg",
    "not_found",
    writeErrors,
  ),
  errorsAs: "json",
  grants: {
    table: {
      actions: ["ConditionCheckItem", "GetItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
  },
} as const satisfies Route;

/** DELETE /api/drops/{slug}/feedback/{thread} */
export const deleteFeedbackRoute = {
  id: "delete-feedback",
  resource: "feedback",
  method: "DELETE",
  path: "/api/drops/{slug}/feedback/{thread}",
  host: "base",
  addition: decision,
  summary: "Delete a thread",
  caller: "token",
  countsAsWrite: true,
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes("unauthorized", "invalid_slug", "not_found", writeErrors),
  errorsAs: "json",
  grants: {
    table: {
      actions: ["ConditionCheckItem", "DeleteItem", "GetItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
  },
} as const satisfies Route;
