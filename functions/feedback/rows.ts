import { apiRoute, errorCodes, type Route, writeErrors } from "../http/route.ts";
import {
  feedbackListResponse,
  listFeedbackQuery,
  listFeedbackToolQuery,
  replyBody,
  replyResponse,
  resolveBody,
  threadResponse,
} from "./schemas.ts";

// Additions to the specification: readers' comments on a drop, for its owner.

const decision = "docs/adr/0070-feedback.md";

/** GET /api/feedback */
export const listFeedbackRoute = /* @__PURE__ */ apiRoute({
  id: "list-feedback",
  resource: "feedback",
  method: "GET",
  path: "/api/feedback",
  addition: decision,
  summary: "Readers' comments",
  query: listFeedbackQuery,
  response: { status: 200, json: feedbackListResponse },
  errors: ["unauthorized", "invalid_arg", "not_found"],
  // The function mostly waits.
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
});

/** Row of the tool `list_feedback`, which waits less long: some clients abort longer calls. */
export const listFeedbackToolRow = {
  ...listFeedbackRoute,
  query: listFeedbackToolQuery,
} as const satisfies Route;

/** POST /api/drops/{slug}/feedback/{thread}/replies */
export const replyToFeedbackRoute = /* @__PURE__ */ apiRoute({
  id: "reply-to-feedback",
  resource: "feedback",
  method: "POST",
  path: "/api/drops/{slug}/feedback/{thread}/replies",
  scope: "publish",
  addition: decision,
  summary: "Reply to comments; only readers start them",
  headers: ["Idempotency-Key"],
  body: { json: replyBody, required: true },
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
  grants: {
    table: {
      actions: ["BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
  },
});

/** PATCH /api/drops/{slug}/feedback/{thread} */
export const resolveFeedbackRoute = /* @__PURE__ */ apiRoute({
  id: "resolve-feedback",
  resource: "feedback",
  method: "PATCH",
  path: "/api/drops/{slug}/feedback/{thread}",
  scope: "publish",
  addition: decision,
  summary: "Resolve or reopen a thread",
  body: { json: resolveBody, required: true },
  response: { status: 200, json: threadResponse },
  errors: /* @__PURE__ */ errorCodes(
    "unauthorized",
    "invalid_slug",
    "invalid_json",
    "invalid_arg",
    "not_found",
    writeErrors,
  ),
  grants: {
    table: {
      actions: ["ConditionCheckItem", "GetItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
  },
});

/** DELETE /api/drops/{slug}/feedback/{thread} */
export const deleteFeedbackRoute = /* @__PURE__ */ apiRoute({
  id: "delete-feedback",
  resource: "feedback",
  method: "DELETE",
  path: "/api/drops/{slug}/feedback/{thread}",
  addition: decision,
  summary: "Delete a thread",
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes("unauthorized", "invalid_slug", "not_found", writeErrors),
  grants: {
    table: {
      actions: ["ConditionCheckItem", "DeleteItem", "GetItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
  },
});
