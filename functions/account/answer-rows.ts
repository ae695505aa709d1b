import * as z from "zod/mini";
import { freeText, integer } from "../http/query.ts";
import { pageRoute } from "../http/route.ts";
import { schema } from "../http/schemas.ts";
import { pageSearch } from "../search/schemas.ts";
import { done } from "./list-page.ts";
import { formRow, sessionItems } from "./page-rows.ts";

const addition = "docs/adr/0070-feedback.md";

/** Matches the numbers at which the parts of an export begin. */
const partsPattern = /^\d{1,10}(?:,\d{1,10}){1,99}$/;

/** Query of a page of answers. Invalid values are ignored, so that people see no API error. */
export const ownAnswersQuery = /* @__PURE__ */ schema(() =>
  z.object({
    done,
    form: z.catch(freeText(), ""),
    q: pageSearch.q,
    before: z.catch(z.optional(integer({ minimum: 1 })), undefined),
    parts: z.pipe(
      z.catch(freeText(), ""),
      z.transform((sent) => (partsPattern.test(sent) ? sent.split(",").map(Number) : [])),
    ),
  }),
);

const csvQuery = /* @__PURE__ */ schema(() =>
  z.object({
    form: z.catch(freeText(), ""),
    since: z.catch(z.optional(integer({ minimum: 0 })), undefined),
  }),
);

/** GET /account/drops/{slug}/answers */
export const showOwnAnswersRoute = /* @__PURE__ */ pageRoute({
  id: "show-own-answers",
  resource: "account-pages",
  method: "GET",
  path: "/account/drops/{slug}/answers",
  addition,
  summary: "Readers' answers to the forms of a drop, for its owner",
  caller: "session",
  query: ownAnswersQuery,
  response: { status: 200, content: "html", alsoStatus: 302 },
  errors: ["forbidden", "not_found"],
  // Searches through up to 5,000 answers.
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: [...sessionItems, "SLUG"] },
    secrets: ["cookieKey"],
    settings: ["answers", "members"],
  },
});

/** GET /account/drops/{slug}/answers.csv */
export const exportOwnAnswersRoute = /* @__PURE__ */ pageRoute({
  id: "export-own-answers",
  resource: "account-pages",
  method: "GET",
  path: "/account/drops/{slug}/answers.csv",
  addition,
  summary: "Answers as CSV, for the drop's owner",
  caller: "session",
  query: csvQuery,
  response: { status: 200, content: "csv", alsoStatus: 302 },
  errors: ["forbidden", "not_found"],
  memoryMegabytes: 1_024,
  grants: {
    table: { actions: ["BatchGetItem", "GetItem", "Query"], items: [...sessionItems, "SLUG"] },
    secrets: ["cookieKey"],
    settings: ["members"],
  },
});

/** POST /account/drops/{slug}/answers */
export const deleteOwnAnswersRoute = /* @__PURE__ */ formRow({
  id: "delete-own-answers",
  path: "/account/drops/{slug}/answers",
  summary: "The buttons by which an owner deletes an answer, or all answers to a form",
  teamRole: "owner",
  errors: ["invalid_arg", "not_found", "precondition_failed"],
  actions: ["ConditionCheckItem", "DeleteItem"],
  items: ["SLUG"],
  settings: ["answers"],
});
