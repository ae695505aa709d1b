import * as z from "zod/mini";
import { choice, freeText, pinnedVersion } from "../http/query.ts";
import { pageRoute } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

/** `?form=&v=N&path=&as=` of a form's answers: the form, the version and page that were shown, and the reader's choice of a name. */
const answerQuery = /* @__PURE__ */ schema(() => {
  const text = z.catch(z.optional(freeText()), undefined);
  return z.object({
    form: z._default(z.catch(freeText(), ""), ""),
    v: pinnedVersion,
    path: text,
    as: z.catch(z.optional(choice(["name", "none"])), undefined),
  });
});

/** Counts by field and choice. */
const answerResultsResponse = /* @__PURE__ */ schema(() => {
  const choices = z.array(z.tuple([z.string(), z.int()]));
  return z.object({ counts: z.array(z.tuple([z.string(), choices])) });
});

const readItems = ["IDP", "MEMBER", "READER", "SCIM", "SLUG", "USER"] as const;

/** POST /p/{slug}/answers */
export const sendAnswerRoute = /* @__PURE__ */ pageRoute({
  id: "send-answer",
  resource: "feedback-pages",
  method: "POST",
  path: "/p/{slug}/answers",
  host: "any",
  addition: "docs/adr/0070-feedback.md",
  summary: "Send an answer to a form of a published page",
  query: answerQuery,
  body: "form",
  response: { status: 200, content: "html" },
  errors: ["invalid_arg", "forbidden", "not_found", "rate_limited", "quota_exceeded"],
  errorsAs: "negotiated",
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["cookieKey"],
    table: {
      actions: [
        "BatchGetItem",
        "ConditionCheckItem",
        "DeleteItem",
        "GetItem",
        "PutItem",
        "Query",
        "UpdateItem",
      ],
      items: [...readItems, "LIMIT"],
    },
    audit: true,
    settings: ["answers", "answerDays", "members"],
    pages: ["GetObject"],
  },
});

/** GET /p/{slug}/answers */
export const readAnswerResultsRoute = /* @__PURE__ */ pageRoute({
  id: "read-answer-results",
  resource: "feedback-pages",
  method: "GET",
  path: "/p/{slug}/answers",
  host: "any",
  addition: "docs/adr/0070-feedback.md",
  summary: "Counts of a form's choices, if the page's owner shows results",
  query: answerQuery,
  response: { status: 200, json: answerResultsResponse },
  errors: ["invalid_arg", "not_found"],
  errorsAs: "negotiated",
  memoryMegabytes: 1_024,
  grants: {
    secrets: ["cookieKey"],
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: readItems },
    settings: ["answers", "members"],
    pages: ["GetObject"],
  },
});
