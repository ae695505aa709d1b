import * as z from "zod/mini";
import { choice, freeText, integer, pinnedVersion } from "../http/query.ts";
import { pageRows, readerGrants } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

/** Query parameter `panel=1`, which shows the comments in a panel of the viewer, without a frame for the page. */
const panel = /* @__PURE__ */ schema(() => z.catch(z.optional(choice(["1"])), undefined));

/** Query of a drop's feedback page. `path` names a page of a folder. Invalid numbers become 0, so that people get a 404 page. */
const feedbackQuery = /* @__PURE__ */ schema(() => {
  const number = z.catch(integer({ minimum: 1 }), 0);
  const path = z.catch(z.optional(freeText()), undefined);
  return z.object({ v: pinnedVersion, page: z._default(number, 1), thread: z.optional(number), path, panel });
});

/** Query in the action URL of the page's forms. `v` is the shown version. */
const sentFeedbackQuery = /* @__PURE__ */ schema(() => z.object({ v: pinnedVersion, panel }));

const pageRow = /* @__PURE__ */ pageRows({
  resource: "feedback-pages",
  host: "any",
  addition: "docs/adr/0070-feedback.md",
  grants: readerGrants,
});

export const showFeedbackRoute = /* @__PURE__ */ pageRow("GET /p/{slug}/feedback", {
  id: "show-feedback",
  summary: "A page beside its readers' comments, with a form for new comments",
  query: feedbackQuery,
  response: { status: 200, content: "html" },
  // The function has more memory, and so more CPU, because a reader waits while it searches pages for quotes from another version.
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
  summary: "The forms that start a thread of comments on a page, or reply to a thread",
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
