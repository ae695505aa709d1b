import { expect, test } from "vitest";
import { problemOfSubject } from "../../scripts/check/commit-subject.ts";

test.each([
  "Refuse settings that AWS refuses",
  "Pass the reader's time to policies",
  "Re-read a drop after a conflict",
])("%j is a valid subject", (subject) => {
  expect(problemOfSubject(subject)).toBeUndefined();
});

test.each([
  [`Refuse ${"a".repeat(66)}`, "has 73 characters"],
  ["Comments of the frame in plain words", "Begin with an imperative"],
  ["Fixed the viewer", "Begin with an imperative"],
  ["Renaming things", "Begin with an imperative"],
  ["CLI: publish a folder", "Begin with a verb"],
  ["mend the viewer", "Begin with a verb"],
  ["Mend the viewer; shorten its texts", "one thing"],
  ["Mend the viewer.", "Write one sentence"],
])("%j is refused", (subject, problem) => {
  expect(problemOfSubject(subject)).toContain(problem);
});
