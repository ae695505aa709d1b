import { describe, expect, test } from "vitest";
import { parseSearchQuery } from "../../functions/search/search-query.ts";

const term = (...terms: string[]) => ({ terms, isPrefix: false, isExcluded: false, isExact: false });

describe("a search query", () => {
  test.each([
    ["words", "Quarterly  numbers", [term("QUARTERLY"), term("NUMBERS")]],
    ["an exact phrase", '"Quarterly numbers"', [{ ...term("QUARTERLY", "NUMBERS"), isExact: true }]],
    ["other quotation marks", "“Quarterly numbers”", [{ ...term("QUARTERLY", "NUMBERS"), isExact: true }]],
    ["an exclusion", "numbers -draft", [term("NUMBERS"), { ...term("DRAFT"), isExcluded: true }]],
    [
      "an excluded phrase",
      'numbers -"first draft"',
      [term("NUMBERS"), { ...term("FIRST", "DRAFT"), isExcluded: true, isExact: true }],
    ],
    ["the beginning of a word", "quart*", [{ ...term("QUART"), isPrefix: true }]],
    ["a word with a hyphen, as a phrase", "e-mail", [term("E", "MAIL")]],
    ["a word of a script without spaces, as a phrase", "東京", [term("東", "京")]],
    [
      "no operators of SQLite",
      "a OR b NOT c {title}: NEAR(",
      ["A", "OR", "B", "NOT", "C", "TITLE", "NEAR"].map((one) => term(one)),
    ],
  ])("has %s", (_, query, terms) => {
    expect(parseSearchQuery(query)).toEqual(terms);
  });

  test.each([
    ["without words", "  … !? ", "no word"],
    ["with an open quotation mark", 'a "b c', "not closed"],
    ["of exclusions alone", '-draft -"old page"', "only what"],
    ["of too many words", "a ".repeat(33), "at most 32"],
  ])("%s is refused, and told what can be written", (_, query, reason) => {
    expect(() => parseSearchQuery(query)).toThrow(reason);
    expect(() => parseSearchQuery(query)).toThrow('"an exact phrase"');
  });
});
