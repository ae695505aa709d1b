import { ApiError } from "../platform/errors.ts";
import { pageOperation } from "../platform/page-operation.ts";
import { answerNotFoundRoute } from "./rows.ts";

/** Every address that no other operation has: a page for people, JSON for programs. */
export const answerNotFound = pageOperation(answerNotFoundRoute, async () => {
  throw new ApiError("not_found", { message: "There is nothing at this address." });
});
