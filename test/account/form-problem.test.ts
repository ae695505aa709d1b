import { expect, test } from "vitest";
import { problemOf } from "../../functions/account/problem.ts";
import { ApiError } from "../../functions/core/errors.ts";

test.each([
  [
    "quota_exceeded",
    { version: "1" },
    "Your account has reached its storage limit for pages. Delete a version, or permanently delete a page in the trash.",
  ],
  [
    "quota_exceeded",
    { visibility: "unlisted" },
    "Your account has reached its file limit. Delete a file first.",
  ],
  [
    "version_limit_reached",
    { version: "1" },
    "The page has reached its version limit. Delete a version first.",
  ],
] as const)("a person who is refused with %s for %o learns what to delete", (code, fields, message) => {
  const error = new ApiError(code, { retryAfterSeconds: 3_600 });

  expect(problemOf(error, new URLSearchParams(fields))).toEqual({ message });
});
