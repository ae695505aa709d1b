import { apiRows, type Route } from "../http/route.ts";
import {
  answerListResponse,
  deleteAnswersQuery,
  exportAnswersQuery,
  listAnswersQuery,
  pageAnswersQuery,
  readAnswersToolQuery,
} from "./schemas.ts";

// Routes for an owner to read and delete readers' answers to a drop's forms. The specification does not define these routes.

const apiRow = /* @__PURE__ */ apiRows({
  resource: "answers",
  addition: "docs/adr/0070-feedback.md",
  grants: { table: { actions: ["GetItem"], items: ["SLUG", "USER"] } },
});

export const listAnswersRoute = /* @__PURE__ */ apiRow("GET /api/drops/{slug}/answers", {
  id: "list-answers",
  summary: "Readers' answers",
  query: listAnswersQuery,
  response: { status: 200, json: answerListResponse },
  // The function needs little memory, because it mostly waits.
  memoryMegabytes: 256,
  grants: { table: { actions: ["Query"], items: ["LIMIT"] }, settings: ["answers", "concurrentExecutions"] },
});

/** Operation definition of the tool `read_answers`. */
export const readAnswersToolRow = {
  ...listAnswersRoute,
  query: readAnswersToolQuery,
} as const satisfies Route;

/** Operation definition of the tool `page_answers`, which lists the newest answers for the page embedded in a chat. */
export const pageAnswersRow = { ...listAnswersRoute, query: pageAnswersQuery } as const satisfies Route;

export const exportAnswersRoute = /* @__PURE__ */ apiRow("GET /api/drops/{slug}/answers.csv", {
  id: "export-answers",
  summary: "Answers as CSV",
  query: exportAnswersQuery,
  response: { status: 200, content: "csv" },
  grants: { table: { actions: ["Query"] } },
});

export const deleteAnswerRoute = /* @__PURE__ */ apiRow("DELETE /api/drops/{slug}/answers/{number}", {
  id: "delete-answer",
  summary: "Delete an answer",
  response: { status: 204 },
  grants: { table: { actions: ["BatchGetItem", "ConditionCheckItem", "DeleteItem"] }, audit: true },
});

export const deleteAnswersRoute = /* @__PURE__ */ apiRow("DELETE /api/drops/{slug}/answers", {
  id: "delete-answers",
  summary: "Delete answers",
  query: deleteAnswersQuery,
  refusesUnknownParameters: true,
  response: { status: 204 },
  grants: { table: { actions: ["BatchGetItem", "ConditionCheckItem", "DeleteItem", "Query"] }, audit: true },
});
