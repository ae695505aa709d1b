import type { Route } from "../platform/route.ts";
import { feedbackQuery, sentFeedbackQuery } from "./queries.ts";

const decision = "docs/adr/0071-readers-write-beside-the-page.md";
const readItems = ["IDP", "MEMBER", "READER", "SLUG", "USER"] as const;

/** GET /p/{slug}/feedback */
export const showFeedbackRoute = {
  id: "show-feedback",
  resource: "feedback-pages",
  method: "GET",
  path: "/p/{slug}/feedback",
  host: "any",
  addition: decision,
  summary: "What readers have said about a page, beside the page, and a form to say something",
  caller: "anyone",
  countsAsWrite: false,
  query: feedbackQuery,
  response: { status: 200, content: "html" },
  errors: ["not_found"],
  errorsAs: "page",
  // A reader waits for it, and a page may be parsed for what was quoted from another version.
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["cookieKey"],
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: readItems },
    settings: ["members"],
    pages: ["GetObject"],
    words: ["PutObject"],
  },
} as const satisfies Route;

/** POST /p/{slug}/feedback */
export const sendFeedbackRoute = {
  id: "send-feedback",
  resource: "feedback-pages",
  method: "POST",
  path: "/p/{slug}/feedback",
  host: "base",
  addition: decision,
  summary: "The forms of a page's feedback: begin a thread, or reply in one",
  caller: "anyone",
  countsAsWrite: false,
  query: sentFeedbackQuery,
  body: "form",
  response: { status: 303 },
  errors: ["invalid_arg", "forbidden", "not_found", "rate_limited", "quota_exceeded"],
  errorsAs: "page",
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: ["BatchGetItem", "ConditionCheckItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      items: [...readItems, "LIMIT"],
    },
    audit: true,
    settings: ["members"],
    pages: ["GetObject"],
    words: ["PutObject"],
  },
} as const satisfies Route;
