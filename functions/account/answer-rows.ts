import * as z from "zod/mini";
import { freeText, integer } from "../http/query.ts";
import { schema } from "../http/schemas.ts";
import { pageSearch } from "../search/schemas.ts";
import { done } from "./list-page.ts";
import { formRow, ownerPageRow } from "./page-rows.ts";

const addition = "docs/adr/0070-feedback.md";

/** Pattern of a list of cursors at which the files of an export start. */
const partsPattern = /^\d{1,10}(?:,\d{1,10}){1,99}$/;

/** Query of a page of answers. Ignores invalid values instead of causing an error. */
const ownAnswersQuery = /* @__PURE__ */ schema(() =>
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

export const showOwnAnswersRoute = /* @__PURE__ */ ownerPageRow("GET /account/drops/{slug}/answers", {
  id: "show-own-answers",
  addition,
  summary: "Readers' answers to the forms of a drop, for its owner",
  query: ownAnswersQuery,
  // Enough memory to search up to 5,000 answers.
  memoryMegabytes: 1_024,
  grants: { table: { actions: ["Query"], items: ["SLUG"] }, settings: ["answers"] },
});

export const exportOwnAnswersRoute = /* @__PURE__ */ ownerPageRow("GET /account/drops/{slug}/answers.csv", {
  id: "export-own-answers",
  addition,
  summary: "Answers as CSV, for the drop's owner",
  query: csvQuery,
  response: { status: 200, content: "csv", alsoStatus: 302 },
  memoryMegabytes: 1_024,
  grants: { table: { actions: ["Query"], items: ["SLUG"] } },
});

export const deleteOwnAnswersRoute = /* @__PURE__ */ formRow("POST /account/drops/{slug}/answers", {
  id: "delete-own-answers",
  summary: "The owner's form to delete an answer, or all answers to a form",
  teamRole: "owner",
  errors: ["invalid_arg", "precondition_failed"],
  grants: {
    table: { actions: ["ConditionCheckItem", "DeleteItem"], items: ["SLUG"] },
    settings: ["answers"],
  },
});
