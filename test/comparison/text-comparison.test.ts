import { describe, expect, test } from "vitest";
import { changedWords } from "../../functions/comparison/changed-words.ts";
import {
  type ComparisonRow,
  compareLines,
  type TextComparison,
} from "../../functions/comparison/text-comparison.ts";

const bytesMax = 130_000;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`);

function changed(
  before: string,
  after: string,
  most = bytesMax,
): Extract<TextComparison, { kind: "changed" }> {
  const comparison = compareLines(before, after, most);
  if (comparison.kind !== "changed") throw new Error(`The comparison is ${comparison.kind}.`);
  return comparison;
}

/** Formats a row as one line: numbers, sign, and the text with its changed words in brackets. */
function say(row: ComparisonRow): string {
  if (row.kind === "folded") return `~${row.count}`;
  if (row.kind === "no-line-end") return "no line end";
  const text = row.pieces
    .map((piece) =>
      "omitted" in piece ? `…${piece.omitted}…` : piece.isChanged ? `[${piece.text}]` : piece.text,
    )
    .join("");
  if (row.kind === "removed") return `${row.before} - ${text}`;
  if (row.kind === "added") return `${row.after} + ${text}`;
  return `${row.before} ${row.after} ${text}`;
}

const rowsOf = (before: string, after: string) => changed(before, after).rows.map(say);

describe("a comparison", () => {
  test("shows changed lines with their numbers and three lines around them, and folds the others", () => {
    const before = numbered(20);
    const after = before.with(9, "line ten\n");
    after.push("line 21\n");

    expect(rowsOf(before.join(""), after.join(""))).toEqual([
      "~6",
      "7 7 line 7",
      "8 8 line 8",
      "9 9 line 9",
      "10 - line [10]",
      "10 + line [ten]",
      "11 11 line 11",
      "12 12 line 12",
      "13 13 line 13",
      "~4",
      "18 18 line 18",
      "19 19 line 19",
      "20 20 line 20",
      "21 + line 21",
    ]);
  });

  test("marks changed words in similar lines only, even if the numbers of lines differ", () => {
    expect(rowsOf("it has 12 leaves\ngone\n", "it has 13 leaves\nhere\nnew\n")).toEqual([
      "1 - it has [12] leaves",
      "2 - gone",
      "1 + it has [13] leaves",
      "2 + here",
      "3 + new",
    ]);
  });

  test("numbers lines correctly if one text is empty, or lines are only removed or only added", () => {
    expect(rowsOf("", "a\nb\n")).toEqual(["1 + a", "2 + b"]);
    expect(rowsOf("a\nb\n", "")).toEqual(["1 - a", "2 - b"]);
    const lines = numbered(9);
    expect(rowsOf(lines.join(""), lines.toSpliced(4, 1).join(""))).toEqual([
      "~1",
      ...[2, 3, 4].map((number) => `${number} ${number} line ${number}`),
      "5 - line 5",
      ...[6, 7, 8].map((number) => `${number} ${number - 1} line ${number}`),
      "~1",
    ]);
  });

  test("reports differences in line endings", () => {
    expect(compareLines("a\nb\n", "a\r\nb\r\n", bytesMax)).toEqual({
      kind: "line-ends",
      before: 0,
      after: 2,
    });
    expect(compareLines("a\r\nb\n", "a\nb\r\n", bytesMax)).toEqual({
      kind: "line-ends",
      before: 1,
      after: 1,
    });
    expect(changed("a\nb\n", "a\r\nc\r\n").lineEnds).toEqual({ before: 0, after: 2 });
    expect(changed("a\r\nb\r\n", "a\r\nc\r\n").lineEnds).toBeUndefined();
    expect(rowsOf("a\nb\n", "a\r\nc\r\n")).toEqual(["1 1 a", "2 - b", "2 + c"]);
    expect(rowsOf("a", "a\n")).toEqual(["1 - a", "no line end", "1 + a"]);
  });

  test("of a page in one line shows the text around the change, and how much it leaves out", () => {
    const page = (word: string) => `${"x ".repeat(500_000)}<b>${word}</b>${" y".repeat(500_000)}`;

    const [before, after, ...others] = rowsOf(page("one"), page("two")).filter(
      (row) => row !== "no line end",
    );

    expect(others).toEqual([]);
    expect(before).toMatch(/^1 - …999\d{3}…( ?x)+ <b>\[one\]<\/b>( y)+ ?…999\d{3}…$/);
    expect(after).toMatch(/^1 \+ …999\d{3}…( ?x)+ <b>\[two\]<\/b>( y)+ ?…999\d{3}…$/);
    expect(before?.length).toBeLessThan(1_000);
  });

  test("stays within its size limit, and reports how many lines it leaves out", () => {
    const page = (word: string) =>
      numbered(800)
        .map((line) => `<&"${word} ${line}`)
        .join("");

    const { rows, omitted } = changed(page("one"), page("two"), 20_000);

    expect(rows.length).toBeLessThan(167);
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.length + omitted).toBe(1_600);
  });

  test("never splits a character", () => {
    for (const one of ["x🍃".repeat(5_000), "🍃".repeat(5_000)]) {
      const texts = changed(one, `${one}!`).rows.flatMap((row) => ("pieces" in row ? row.pieces : []));
      for (const piece of texts) if ("text" in piece) expect(piece.text.isWellFormed()).toBe(true);
    }
  });
});

test.each([
  ["color: red;", "color: blue;", "color: [red];", "color: [blue];"],
  ["leaves 12", "leaves 13", "leaves [12]", "leaves [13]"],
  ["a b", "a c b", "a b", "a [c ]b"],
  ["🍃", "🍂", "[🍃]", "[🍂]"],
  ["", "new", "", "[new]"],
  ["same", "same", "same", "same"],
])("the changed words from %j to %j are marked", (before, after, was, is) => {
  const words = changedWords(before, after);
  const shown = (stretches: (typeof words)["before"]) =>
    stretches.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join("");

  expect([shown(words.before), shown(words.after)]).toEqual([was, is]);
});
