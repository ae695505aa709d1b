import { expect, test } from "vitest";
import { problemOfSubject } from "../../scripts/check/commit-subject.ts";

test.each([
  "Refuse settings that AWS refuses",
  "Pass the reader's time to policies",
  "Re-read a drop after a conflict",
])("%j is a subject", (subject) => {
  expect(problemOfSubject(subject)).toBeUndefined();
});

test.each([
  [`Refuse ${"a".repeat(66)}`, "has 73 characters"],
  ["Comments of the frame in plain words", "write an imperative"],
  ["Fixed the viewer", "write an imperative"],
  ["Renaming things", "write an imperative"],
  ["CLI: publish a folder", "write a verb"],
  ["mend the viewer", "write a verb"],
  ["Mend the viewer; shorten its texts", "one thing"],
  ["Mend the viewer.", "one sentence"],
])("%j is refused", (subject, problem) => {
  expect(problemOfSubject(subject)).toContain(problem);
});
