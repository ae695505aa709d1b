import { expect, test } from "vitest";
import { problemOf } from "../../functions/account/problem.ts";
import { ApiError } from "../../functions/http/errors.ts";

test.each([
  ["quota_exceeded", { version: "1" }, "There is no room for it: delete a version or a page first."],
  ["quota_exceeded", { visibility: "unlisted" }, "There is no room for it: delete a file first."],
  [
    "version_limit_reached",
    { version: "1" },
    "The page has as many versions as there can be: delete one first.",
  ],
] as const)("who is refused with %s for %o is told what to delete", (code, fields, message) => {
  const error = new ApiError(code, { retryAfterSeconds: 3_600 });

  expect(problemOf(error, new URLSearchParams(fields))).toEqual({ message });
});
