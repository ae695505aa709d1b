import * as z from "zod/mini";
import { choice, freeText, integer, pinnedVersion } from "../http/query.ts";
import { pageRows, readerGrants } from "../http/route.ts";
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

const pageRow = /* @__PURE__ */ pageRows({
  resource: "feedback-pages",
  host: "any",
  addition: "docs/adr/0070-feedback.md",
  grants: readerGrants,
});

export const showFeedbackRoute = /* @__PURE__ */ pageRow("GET /p/{slug}/feedback", {
  id: "show-feedback",
  summary: "A page beside its readers' comments, with a form to comment",
  query: feedbackQuery,
  response: { status: 200, content: "html" },
  // A reader waits for it, and pages may be parsed to find quotes of another version.
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["Query"] },
    settings: ["accessRequests", "readTrail"],
    pages: ["GetObject"],
    words: ["PutObject"],
  },
});

export const sendFeedbackRoute = /* @__PURE__ */ pageRow("POST /p/{slug}/feedback", {
  id: "send-feedback",
  host: "base",
  summary: "The forms of a page's comments: start a thread, or reply to one",
  query: sentFeedbackQuery,
  body: "form",
  response: { status: 303 },
  errors: ["invalid_arg", "forbidden", "rate_limited", "quota_exceeded"],
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["ConditionCheckItem", "PutItem", "Query", "UpdateItem"], items: ["LIMIT"] },
    audit: true,
    pages: ["GetObject"],
    words: ["PutObject"],
  },
});
