import * as z from "zod/mini";
import { choice, freeText, pinnedVersion } from "../http/query.ts";
import { pageRows, readerGrants } from "../http/route.ts";
import { schema } from "../http/schemas.ts";

/** Query of a form's action URL: the form, the version and page that the reader saw, and in `as` the choice to add the reader's name. */
const answerQuery = /* @__PURE__ */ schema(() => {
  const text = z.catch(z.optional(freeText()), undefined);
  return z.object({
    form: z._default(z.catch(freeText(), ""), ""),
    v: pinnedVersion,
    path: text,
    as: z.catch(z.optional(choice(["name", "none"])), undefined),
  });
});

/** Response with the number of answers by field and choice. */
const answerResultsResponse = /* @__PURE__ */ schema(() => {
  const choices = z.array(z.tuple([z.string(), z.int()]));
  return z.object({ counts: z.array(z.tuple([z.string(), choices])) });
});

const pageRow = /* @__PURE__ */ pageRows({
  resource: "feedback-pages",
  host: "any",
  addition: "docs/adr/0070-feedback.md",
  grants: readerGrants,
});

export const sendAnswerRoute = /* @__PURE__ */ pageRow("POST /p/{slug}/answers", {
  id: "send-answer",
  summary: "Send an answer to a form of a published page",
  query: answerQuery,
  body: "form",
  response: { status: 200, content: "html" },
  errors: ["invalid_arg", "forbidden", "rate_limited", "quota_exceeded"],
  errorsAs: "negotiated",
  memoryMegabytes: 1_024,
  grants: {
    table: {
      actions: ["ConditionCheckItem", "DeleteItem", "PutItem", "Query", "UpdateItem"],
      items: ["LIMIT"],
    },
    audit: true,
    settings: ["answers", "answerDays"],
    pages: ["GetObject"],
  },
});

export const readAnswerResultsRoute = /* @__PURE__ */ pageRow("GET /p/{slug}/answers", {
  id: "read-answer-results",
  summary: "Counts of each choice in a form, if the page's owner shows results",
  query: answerQuery,
  response: { status: 200, json: answerResultsResponse },
  errors: ["invalid_arg"],
  errorsAs: "negotiated",
  memoryMegabytes: 1_024,
  grants: { table: { actions: ["Query"] }, settings: ["answers"], pages: ["GetObject"] },
});
