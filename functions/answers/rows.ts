import { apiRoute, errorCodes, type Route, writeErrors } from "../http/route.ts";
import {
  answerListResponse,
  deleteAnswersQuery,
  exportAnswersQuery,
  listAnswersQuery,
  pageAnswersQuery,
  readAnswersToolQuery,
} from "./schemas.ts";

// Additions to the specification: readers' answers to the forms of a drop, for its owner.

const decision = "docs/adr/0070-feedback.md";

/** GET /api/drops/{slug}/answers */
export const listAnswersRoute = /* @__PURE__ */ apiRoute({
  id: "list-answers",
  resource: "answers",
  method: "GET",
  path: "/api/drops/{slug}/answers",
  addition: decision,
  summary: "Answers to forms",
  query: listAnswersQuery,
  response: { status: 200, json: answerListResponse },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  // The function mostly waits.
  memoryMegabytes: 256,
  grants: {
    table: { actions: ["GetItem", "Query", "UpdateItem"], items: ["LIMIT", "TOKEN", "USER", "SLUG"] },
    settings: ["concurrentExecutions"],
  },
});

/** Row of the tool `read_answers`, which waits less long: some clients abort longer calls. */
export const readAnswersToolRow = {
  ...listAnswersRoute,
  query: readAnswersToolQuery,
} as const satisfies Route;

/** The tool `page_answers`, which returns the newest answers to the page in the chat. */
export const pageAnswersRow = {
  ...listAnswersRoute,
  query: pageAnswersQuery,
} as const satisfies Route;

/** GET /api/drops/{slug}/answers.csv */
export const exportAnswersRoute = /* @__PURE__ */ apiRoute({
  id: "export-answers",
  resource: "answers",
  method: "GET",
  path: "/api/drops/{slug}/answers.csv",
  addition: decision,
  summary: "Answers as CSV",
  query: exportAnswersQuery,
  response: { status: 200, content: "csv" },
  errors: ["unauthorized", "invalid_slug", "invalid_arg", "not_found"],
  grants: {
    table: { actions: ["GetItem", "Query", "UpdateItem"], items: ["TOKEN", "USER", "SLUG"] },
  },
});

/** DELETE /api/drops/{slug}/answers/{number} */
export const deleteAnswerRoute = /* @__PURE__ */ apiRoute({
  id: "delete-answer",
  resource: "answers",
  method: "DELETE",
  path: "/api/drops/{slug}/answers/{number}",
  addition: decision,
  summary: "Delete an answer",
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes("unauthorized", "invalid_slug", "not_found", writeErrors),
  grants: {
    table: {
      actions: ["BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
  },
});

/** DELETE /api/drops/{slug}/answers */
export const deleteAnswersRoute = /* @__PURE__ */ apiRoute({
  id: "delete-answers",
  resource: "answers",
  method: "DELETE",
  path: "/api/drops/{slug}/answers",
  addition: decision,
  summary: "Delete answers",
  query: deleteAnswersQuery,
  refusesUnknownParameters: true,
  response: { status: 204 },
  errors: /* @__PURE__ */ errorCodes("unauthorized", "invalid_slug", "invalid_arg", "not_found", writeErrors),
  grants: {
    table: {
      actions: ["BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "Query", "UpdateItem"],
      items: ["TOKEN", "USER", "SLUG"],
    },
    audit: true,
  },
});
