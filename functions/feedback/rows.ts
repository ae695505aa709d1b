import { apiRows, type Route } from "../http/route.ts";
import {
  feedbackListResponse,
  listFeedbackQuery,
  listFeedbackToolQuery,
  replyBody,
  replyResponse,
  resolveBody,
  threadResponse,
} from "./schemas.ts";

// Routes for an owner to read and answer comments on a drop. The specification does not define these routes.

const apiRow = /* @__PURE__ */ apiRows({
  resource: "feedback",
  addition: "docs/adr/0070-feedback.md",
  grants: { table: { actions: ["GetItem"], items: ["SLUG", "USER"] } },
});

export const listFeedbackRoute = /* @__PURE__ */ apiRow("GET /api/feedback", {
  id: "list-feedback",
  summary: "Readers' comments",
  query: listFeedbackQuery,
  response: { status: 200, json: feedbackListResponse },
  errors: ["not_found"],
  // The function needs little memory, because it mostly waits.
  memoryMegabytes: 256,
  grants: {
    table: { actions: ["BatchGetItem"], items: ["LIMIT"] },
    pages: ["GetObject"],
    words: ["PutObject"],
    settings: ["concurrentExecutions"],
  },
});

/** Operation definition of the tool `list_feedback`. */
export const listFeedbackToolRow = {
  ...listFeedbackRoute,
  query: listFeedbackToolQuery,
} as const satisfies Route;

export const replyToFeedbackRoute = /* @__PURE__ */ apiRow(
  "POST /api/drops/{slug}/feedback/{thread}/replies",
  {
    id: "reply-to-feedback",
    scope: "publish",
    summary: "Reply to comments; only readers start them",
    headers: ["Idempotency-Key"],
    body: { json: replyBody, required: true },
    response: { status: 201, json: replyResponse },
    errors: ["quota_exceeded"],
    grants: {
      table: { actions: ["BatchGetItem", "ConditionCheckItem", "PutItem"] },
      audit: true,
    },
  },
);

export const resolveFeedbackRoute = /* @__PURE__ */ apiRow("PATCH /api/drops/{slug}/feedback/{thread}", {
  id: "resolve-feedback",
  scope: "publish",
  summary: "Resolve or reopen a thread",
  body: { json: resolveBody, required: true },
  response: { status: 200, json: threadResponse },
  grants: { table: { actions: ["ConditionCheckItem"] }, audit: true },
});

export const deleteFeedbackRoute = /* @__PURE__ */ apiRow("DELETE /api/drops/{slug}/feedback/{thread}", {
  id: "delete-feedback",
  summary: "Delete a thread",
  response: { status: 204 },
  grants: { table: { actions: ["ConditionCheckItem", "DeleteItem"] }, audit: true },
});
