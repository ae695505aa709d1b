import * as z from "zod/mini";
import { choice, freeText, integer, pinnedVersion } from "../http/query.ts";
import { pageRoute } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

/** `panel=1` for comments beside the page in the viewer, without this page's frame. */
const panel = /* @__PURE__ */ schema(() => z.catch(z.optional(choice(["1"])), undefined));

/**
 * `?v=N&page=N&thread=N&path=&panel=1` of a drop's feedback; the path is that of a folder's page, and the viewer shows
 * the panel. Invalid numbers become 0, which does not exist, so that people see the 404 page.
 */
export const feedbackQuery = /* @__PURE__ */ schema(() => {
  const number = z.catch(integer({ minimum: 1 }), 0);
  const path = z.catch(z.optional(freeText()), undefined);
  return z.object({ v: pinnedVersion, page: z._default(number, 1), thread: z.optional(number), path, panel });
});

/** `?v=N&panel=1` of the page's forms: the version that was shown, and where. */
export const sentFeedbackQuery = /* @__PURE__ */ schema(() => z.object({ v: pinnedVersion, panel }));

const decision = "docs/adr/0070-feedback.md";
const readItems = ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"] as const;

/** GET /p/{slug}/feedback */
export const showFeedbackRoute = /* @__PURE__ */ pageRoute({
  id: "show-feedback",
  resource: "feedback-pages",
  method: "GET",
  path: "/p/{slug}/feedback",
  host: "any",
  addition: decision,
  summary: "A page beside its readers' comments, with a form to comment",
  query: feedbackQuery,
  response: { status: 200, content: "html" },
  errors: ["not_found"],
  // A reader waits for it, and pages may be parsed to find quotes of another version.
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["cookieKey"],
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: readItems },
    settings: ["accessRequests", "members", "readTrail"],
    pages: ["GetObject"],
    words: ["PutObject"],
  },
});

/** POST /p/{slug}/feedback */
export const sendFeedbackRoute = /* @__PURE__ */ pageRoute({
  id: "send-feedback",
  resource: "feedback-pages",
  method: "POST",
  path: "/p/{slug}/feedback",
  addition: decision,
  summary: "The forms of a page's comments: start a thread, or reply to one",
  query: sentFeedbackQuery,
  body: "form",
  response: { status: 303 },
  errors: ["invalid_arg", "forbidden", "not_found", "rate_limited", "quota_exceeded"],
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
});
