import fc from "fast-check";
import { expect, test } from "vitest";
import { warnAboutInvisibleCharacters, withoutInvisibleCharacters } from "../../functions/core/text.ts";

test.each([
  ["a direction override", "invoice\u202Efdp.exe", "invoicefdp.exe"],
  ["embeddings and isolates", "\u202Aa\u202B\u202C\u202D\u2066\u2067\u2068b\u2069", "ab"],
  ["control characters", "a\u0000\u0007\u001B[31m\u007F\u009Fb", "a[31mb"],
  [
    "line breaks and tabs, which become spaces",
    "one\r\ntwo\tthree\u2028four\u0085five",
    "one two three four five",
  ],
  ["zero-width characters", "pay\u200Bpal\uFEFF \u2060now\u00AD", "paypal now"],
  ["tag characters", "safe\u{E0068}\u{E0069}\u{E007F}", "safe"],
  ["annotation characters", "\uFFF9a\uFFFAb\uFFFB", "ab"],
])("a single-line text loses %s", (_what, text, kept) => {
  expect(withoutInvisibleCharacters(text, "line")).toBe(kept);
});

test.each([
  ["emoji with joiners and variation selectors", "\u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u2764\uFE0F"],
  ["a flag made of tags", "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} England"],
  ["Persian with a non-joiner", "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645"],
  ["Hebrew and Arabic with their marks", "C++\u200F \u05D1\u05D9\u05D5\u05DD \u061C12 \u200E"],
  ["an Arabic number sign", "\u0600\u0661\u0662"],
  ["accents and other scripts", "e\u0301 日本語 \u1820\u180E\u1820"],
])("a single-line text keeps %s", (_what, text) => {
  expect(withoutInvisibleCharacters(text, "line")).toBe(text);
  expect(withoutInvisibleCharacters(text, "lines")).toBe(text);
});

test("a multi-line text keeps its line breaks and tabs, and loses other control characters", () => {
  expect(withoutInvisibleCharacters("a\r\n\tb\u202E\u0000\nc", "lines")).toBe("a\r\n\tb\nc");
});

test("cleaning any text once removes all disguising characters, and keeps the rest in order", {
  tags: "slow",
}, () => {
  const disguising = /[\p{Cc}\u2028-\u202E\u2060-\u206F\u200B\uFEFF]/u;
  const character = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      "\u202E",
      "\u2066",
      "\n",
      "\u0000",
      "\u200B",
      "\u200D",
      "\u{E0041}",
      "\u{1F3F4}",
      "a",
      "א",
    ),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 40 }), (characters) => {
      const text = characters.join("");

      const kept = withoutInvisibleCharacters(text, "line");

      expect(kept).not.toMatch(disguising);
      expect(withoutInvisibleCharacters(kept, "line")).toBe(kept);
      const visible = /[\p{L}\p{N}\p{P}\p{S}\p{M}\u200C\u200D]/gu;
      expect(kept.match(visible)).toEqual(text.match(visible));
    }),
  );
});

test("removed characters are reported, except white space at the ends", () => {
  const sent = { title: " a\u202Eb\u0007\n", description: "x\ny", note: "\u200B", html: "\u202E", gone: 1 };
  const kept = { title: "ab", description: "x\ny", note: "", html: "\u202E" };

  expect(warnAboutInvisibleCharacters(sent, kept)).toEqual([
    "Characters that are invisible or change how the text is displayed were removed from title: U+202E, U+0007.",
    "Characters that are invisible or change how the text is displayed were removed from note: U+200B.",
  ]);
});
