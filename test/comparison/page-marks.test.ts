import { describe, expect, test } from "vitest";
import { markChanges, marksMax, type PageMarks } from "../../functions/comparison/page-marks.ts";
import { normalizeText } from "../../functions/core/normalize-text.ts";
import { visibleText } from "../../functions/drops/page-text.ts";

function compare(before: string, after: string): PageMarks {
  return markChanges(visibleText(before), visibleText(after));
}

function marked(before: string, after: string): Extract<PageMarks, { kind: "marked" }> {
  const marks = compare(before, after);
  if (marks.kind !== "marked") throw new Error(`The comparison is ${marks.kind}.`);
  return marks;
}

/** Returns the marked words of a page from the positions of its marks. */
function wordsAt(html: string, marks: ReturnType<typeof marked>["before"]): string[] {
  const text = normalizeText(visibleText(html));
  let at = 0;
  return marks.map(([gap, around, lead, length]) => {
    const start = at + gap;
    expect(text.slice(start - lead, start - lead + around.length)).toBe(around);
    at = start + length;
    return text.slice(start, at);
  });
}

function changesOf(before: string, after: string): string[] {
  const marks = marked(before, after);
  const removed = wordsAt(before, marks.before);
  const added = wordsAt(after, marks.after);
  return removed.map((words, index) => `${words}>${added[index]}`);
}

describe("the marks of two pages", () => {
  test("are the visible words that differ, whatever elements they are in", () => {
    const before = "<title>a</title><h1>Garden</h1><p>It has <b>12</b> leaves &amp; a root</p><p>Gone</p>";
    const after =
      "<title>b</title><h1 class=x>Garden</h1><div>It has 13 leaves &amp; the root</div><p>New one";

    expect(changesOf(before, after)).toEqual(["12>13", "A>THE", "GONE>NEWONE"]);
  });

  test("separate a changed word from a paragraph that was added before it", () => {
    const old = "The ferry leaves the harbour at nine in the morning.";
    const after = `<p>There is a new timetable.</p><p>${old.replace("nine", "ten")}</p>`;

    expect(changesOf(`<p>${old}</p>`, after)).toEqual([">THEREISANEWTIMETABLE.", "NINE>TEN"]);
  });

  test("cover numbers with their decimal points, and a paragraph with its full stop", () => {
    const before = "<p>Of 2.1 leaves, some fell.</p><p>Gone in summer.</p>";

    expect(changesOf(before, "<p>Of 1.9 leaves, some fell.</p>")).toEqual(["2.1>1.9", "GONEINSUMMER.>"]);
  });

  test("are single characters in a script without spaces between words", () => {
    expect(changesOf("<p>庭に木が二本あります", "<p>庭に木が三本あります")).toEqual(["二>三"]);
  });

  test("cover a whole paragraph that shares few words with its replacement", () => {
    const before = "<p>one</p><p>The quick brown fox jumps over dogs</p>";
    const after = "<p>one</p><p>Nobody expected rain over Lisbon yesterday</p>";

    expect(changesOf(before, after)).toEqual([
      "THEQUICKBROWNFOXJUMPSOVERDOGS>NOBODYEXPECTEDRAINOVERLISBONYESTERDAY",
    ]);
  });

  test.each([
    ["markup, styles and scripts", "<style>a</style><p>one two</p><script>1</script>", "<p>one <i>two</i>"],
    ["white space", "<p>one\n  two</p>", "<p>one two</p>\n\n"],
    ["images without text", "<img src=a>", "<img src=b>"],
  ])("are absent if the pages differ only in %s", (_, before, after) => {
    expect(compare(before, after)).toEqual({ kind: "same" });
  });

  test("are limited in number and size, but every change is counted", () => {
    const page = (word: string) =>
      Array.from({ length: 2 * marksMax }, (_, index) => `<p>Line ${index} is the same</p><p>${word}`).join(
        "",
      );

    const { count, before, after } = marked(page("😀".repeat(40)), page("😁".repeat(40)));

    expect([count, before.length, after.length]).toEqual([2 * marksMax, marksMax, marksMax]);
    expect(Buffer.byteLength(JSON.stringify(before).replaceAll('"', "&quot;"))).toBeLessThan(60_000);
  });

  test("are given up within 10 s if the pages are too different", { tags: "slow" }, () => {
    const page = (word: string) =>
      Array.from({ length: 60_000 }, (_, index) => `<p>${word} ${index}</p>`).join("");
    const startedAtMs = performance.now();

    expect(compare(page("one"), page("two"))).toEqual({ kind: "unmarked" });
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
  });

  test("are found within 10 s if many long paragraphs are rewritten", { tags: "slow" }, () => {
    const paragraph = (seed: number) =>
      Array.from({ length: 1_500 }, (_, index) => `w${(index * seed) % 997}`).join(" ");
    const page = (seed: number) =>
      Array.from({ length: 100 }, (_, index) => `<p>Part ${index}</p><p>${paragraph(seed)}</p>`).join("");
    const startedAtMs = performance.now();

    expect(marked(page(3), page(5)).count).toBeGreaterThanOrEqual(100);
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
  });
});
