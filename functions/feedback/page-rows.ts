import { query, type RawQuery } from "../http/query.ts";
import type { Route } from "../http/route.ts";
import { patterns, schema } from "../http/schemas.ts";

const version = { v: { type: "integer", minimum: 1 } } as const;

/**
 * `?v=N&page=N&thread=N` of a drop's feedback: of each undefined for the usual, and 0 for what is no number, which nothing has; so that
 * people see the 404 page, and not an API error.
 */
export const feedbackQuery = /* @__PURE__ */ schema(() =>
  query(
    {
      ...version,
      page: { type: "integer", minimum: 1 },
      thread: { type: "integer", minimum: 1 },
    },
    (_, sent) => ({
      version: numberOf(sent, "v"),
      page: numberOf(sent, "page") ?? 1,
      thread: numberOf(sent, "thread"),
    }),
  ),
);

/** `?v=N` of its forms: the version that was shown. */
export const sentFeedbackQuery = /* @__PURE__ */ schema(() =>
  query(version, (_, sent) => ({ version: numberOf(sent, "v") })),
);

function numberOf(sent: RawQuery, name: string): number | undefined {
  const [first, ...others] = sent[name] ?? [];
  if (first === undefined) return undefined;
  return others.length === 0 && patterns.positiveInteger.test(first) ? Number(first) : 0;
}

const decision = "docs/adr/0071-feedback-page.md";
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
