import { describe, expect, test } from "vitest";
import { cleanText, toTerminalJson } from "../src/terminal/clean-text.ts";

describe("cleanText", () => {
  test.each([
    ["a control sequence", "\u001b[31mred\u009b0m", "\uFFFD[31mred\uFFFD0m"],
    [
      "an OSC sequence for a link",
      "\u001b]8;;https://evil.example\u0007",
      "\uFFFD]8;;https://evil.example\uFFFD",
    ],
    ["a carriage return that overwrites the line", "safe\rfake", "safe\uFFFDfake"],
    ["a backspace and delete", "a\b\u007f", "a\uFFFD\uFFFD"],
    ["characters that change the text direction", "\u202egnp.\u2066exe", "\uFFFDgnp.\uFFFDexe"],
    ["invisible characters", "pay\u200bpal\u00ad\u2060\ufeff\u3164", "pay\uFFFDpal\uFFFD\uFFFD\uFFFD\uFFFD"],
    ["tag characters that hide a text", "a\u{E0041}\u{E007F}", "a\uFFFD\uFFFD"],
    ["a lone surrogate", "a\ud800", "a\uFFFD"],
    ["a joiner between letters that do not join", "a\u200db", "a\uFFFDb"],
    ["a variation selector without a character", "\ufe0f", "\uFFFD"],
  ])("neutralizes %s", (_, text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned);
  });

  test.each([
    ["a tab", "a\tb"],
    ["emoji of several characters", "👩🏽‍🚀 👨‍👩‍👧 ❤️‍🔥"],
    ["a variation selector after a character", "☎︎ 葛\u{E0100}"],
    ["Persian and Hindi", "می‌خواهم क्‍ष"],
    ["Arabic number signs", "\u0600١٢"],
    ["other scripts", "日本語 Ελληνικά ñ e\u0301"],
  ])("keeps %s", (_, text) => {
    expect(cleanText(text)).toBe(text);
  });

  test("joins several lines into one", () => {
    expect(cleanText("a\r\nb\nc")).toBe("a b c");
  });
});

test("JSON for a terminal has control characters escaped, and parses to the same value", () => {
  const value = { "k\u202e": "\u001b]0;x\u0007 \u009b \u200d \u2028 \u{E0041}", n: [1, "日本\n"] };

  const text = toTerminalJson(value, 2);

  expect(text).toContain('"k\\u202e": "\\u001b]0;x\\u0007 \\u009b \\u200d \\u2028 \\udb40\\udc41"');
  expect(text).toContain('"日本\\n"');
  expect(JSON.parse(text)).toEqual(value);
});
