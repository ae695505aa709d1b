import { ApiError } from "../../contract/api-error.ts";
import { answerNotFoundRoute } from "../../contract/page-routes.ts";
import { pageOperation } from "../../http/page-operation.ts";

/** Every address that no other operation has: a page for people, JSON for programs. */
export const answerNotFound = pageOperation(answerNotFoundRoute, async () => {
  throw new ApiError("not_found", { message: "There is nothing at this address." });
});
