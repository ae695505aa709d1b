import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeText } from "../../functions/core/normalize-text.ts";

describe("a text normalized for comparison", () => {
  test.each([
    ["οδος", "ΟΔΟΣ"],
    ["οδός", "ΟΔΟΣ"],
    ["ᾳ", "ΑΙ"],
    ["straße", "STRASSE"],
    ["STRAẞE", "strasse"],
    ["İstanbul", "istanbul"],
    ["ısparta", "ISPARTA"],
    ["ｆｕｌｌ　ｗｉｄｔｈ", "Full width"],
    ["Café", "CAFE\u0301"],
    ["ﬁfth", "FIFTH"],
    ["soft\u00adhyphen", "softhyphen"],
    ["a\u00a0b\u2003c\u3000d\u0085e\tf\u2028g\u200bh\ufeffi", "abcdefghi"],
    ["שָׁלוֹם", "שלום"],
  ])("is the same for %j as for %j", (one, other) => {
    expect(normalizeText(one)).toBe(normalizeText(other));
  });

  test.each([
    ["か", "が"],
    ["हिन्दी", "हन्द"],
    ["о", "o"],
  ])("differs between %j and %j, which are different letters", (one, other) => {
    expect(normalizeText(one)).not.toBe(normalizeText(other));
  });

  test("is the same for every character in any case and Unicode form, and normalizes to itself", {
    tags: "slow",
  }, () => {
    const others: string[] = [];
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
      if (codePoint === 0xd800) codePoint = 0xe000;
      const character = String.fromCodePoint(codePoint);
      const normalized = normalizeText(character);
      const variants = [character.toUpperCase(), character.toLowerCase(), character.normalize("NFC")];
      const changed = variants.filter((variant) => variant !== character);
      if (![...changed, normalized].every((variant) => normalizeText(variant) === normalized))
        others.push(codePoint.toString(16));
    }

    expect(others).toEqual([]);
  });

  test("has neither white space nor control characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(normalizeText(text)).not.toMatch(/[\s\p{White_Space}\p{Cc}]/u);
      }),
    );
  });

  test("is the concatenation of its normalized parts, wherever it is split before a letter", () => {
    const letters = fc
      .oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: fc.constantFrom(..."ΟΔΣσςßİıﬁé ") }))
      .filter((text) => !/^\p{M}/u.test(text.normalize("NFKD")));
    fc.assert(
      fc.property(letters, letters, (one, other) => {
        expect(normalizeText(one + other)).toBe(normalizeText(one) + normalizeText(other));
      }),
    );
  });
});
