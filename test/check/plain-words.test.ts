import { expect, test } from "vitest";
import { readSentences } from "../../scripts/read/sentences.ts";

const sentences = readSentences();

test("the reading finds comments and texts", () => {
  const count = (kind: string) => sentences.filter((sentence) => sentence.kind === kind).length;

  expect(count("comment")).toBeGreaterThan(5_000);
  expect(count("text")).toBeGreaterThan(2_000);
});

// Words by which a sentence usually hides its subject.
test.each([
  ["came", 15],
  ["is none", 5],
  ["tell|tells", 20],
  ["nobody", 15],
  ["for which", 8],
  ["by now", 2],
  ["everybody|anybody|whoever", 10],
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
