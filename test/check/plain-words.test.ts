import { expect, test } from "vitest";
import { readSentences } from "../../scripts/read/sentences.ts";

const sentences = readSentences();

test("the check finds comments and texts", () => {
  const count = (kind: string) => sentences.filter((sentence) => sentence.kind === kind).length;

  expect(count("comment")).toBeGreaterThan(5_000);
  expect(count("text")).toBeGreaterThan(2_000);
});

// Words that usually hide a sentence's subject.
test.each([
  ["came", 2],
  ["is none", 2],
  ["tell|tells", 12],
  ["nobody", 6],
  ["for which", 6],
  ["by now", 2],
  ["everybody|anybody|whoever", 6],
])("comments and texts have %j at most %i times", (words, max) => {
  const pattern = new RegExp(`\\b(${words})\\b`, "i");

  const found = sentences.filter((sentence) => pattern.test(sentence.words));

  expect(
    found.length,
    found
      .map(({ place, words: text }) => `${place} ${text}`)
      .join("\n")
      .slice(0, 3_000),
  ).toBeLessThanOrEqual(max);
});
