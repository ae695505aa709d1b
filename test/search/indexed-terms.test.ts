import { expect, test } from "vitest";
import { visibleText } from "../../functions/drops/page-text.ts";
import { boundTexts, textLengthMax, tokensPerDropMax } from "../../functions/search/indexed-terms.ts";
import { noTexts } from "../../functions/search/search-document.ts";
import { termsOf } from "../../functions/search/tokens.ts";

/** Different Han characters, each a token. */
const han = (count: number) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + (index % 20_000))).join("");

test("at most 20,000 tokens of a drop are indexed, over all its parts, in any script", () => {
  for (const text of [han(500_000), "word ".repeat(100_000)]) {
    const bounded = boundTexts({ ...noTexts, title: text.slice(0, 200), context: text, files: text, text });

    expect(bounded.length).toBeLessThanOrEqual(tokensPerDropMax);
    expect(Object.values(bounded.terms).flat()).toHaveLength(bounded.length);
    const kept = ["title", "context", "files", "text"] as const;
    expect(kept.reduce((sum, part) => sum + termsOf(bounded.texts[part]).length, 0)).toBe(bounded.length);
    expect(bounded.terms.text.length).toBeGreaterThan(tokensPerDropMax / 2);
  }
});

test("a short drop is indexed completely", () => {
  const texts = { ...noTexts, title: "Quarterly numbers", context: "draft", text: "Revenue grew by 12%." };

  const bounded = boundTexts(texts);

  expect(bounded.texts).toEqual(texts);
  expect(bounded.terms.text).toEqual(["REVENUE", "GREW", "BY", "12"]);
});

test("a single word of any length is truncated", () => {
  const { texts } = boundTexts({ ...noTexts, text: "a".repeat(2_000_000) });

  expect(texts.text.length).toBeLessThanOrEqual(textLengthMax);
});

test("a repeated word is indexed at most a thousand times, and no phrase spans the gap", () => {
  const { terms } = boundTexts({ ...noTexts, text: `${"again ".repeat(5_000)}end` });

  expect(terms.text.filter((term) => term === "AGAIN")).toHaveLength(1_000);
  expect(terms.text).toHaveLength(5_001);
  expect(terms.text.at(-2)).not.toBe("AGAIN");
});

test("the text of a page is extracted only up to the requested length", () => {
  const html = `<p>first</p>${`<p>${"word ".repeat(1_000)}</p>`.repeat(400)}<p>last</p>`;

  const [whole, cut] = [visibleText(html), visibleText(html, 10_000)];

  expect(whole.endsWith("last")).toBe(true);
  expect(cut.length).toBeLessThan(200_000);
  expect(whole.startsWith(cut.slice(0, 10_000))).toBe(true);
});
