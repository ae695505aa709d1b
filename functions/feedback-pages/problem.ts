import type { ApiError } from "../platform/errors.ts";
import type { FieldName, Problem } from "./draft.ts";
import { feedbackText } from "./feedback-text.ts";

const words = feedbackText.problems;

/** Why something was not taken, in words for whoever has typed it. */
export function problemOf({ code, message, details, retryAfterSeconds = 1 }: ApiError): Problem {
  switch (code) {
    case "rate_limited": {
      const minutes = Math.max(1, Math.ceil(retryAfterSeconds / 60));
      return { message: details.limit_of === "reader" ? words.wait(minutes) : words.waitForOthers(minutes) };
    }
    case "quota_exceeded":
      return { message: details.comments_max === undefined ? words.manyThreads : words.manyComments };
    case "unavailable":
      return { message: words.busy };
    case "forbidden":
      return { message, isStale: details.reason === "stale_form" };
    default:
      return { message, field: details.field as FieldName | undefined };
  }
}
