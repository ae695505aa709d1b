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
    ["a prefix", "quart*", [{ ...term("QUART"), isPrefix: true }]],
    ["a word with a hyphen, as a phrase", "e-mail", [term("E", "MAIL")]],
    ["a word of a script without spaces, as a phrase", "東京", [term("東", "京")]],
    [
      "no SQLite operators",
      "a or b not c {title}: NEAR(",
      ["A", "OR", "B", "NOT", "C", "TITLE", "NEAR"].map((one) => term(one)),
    ],
    ["operators in a phrase", '"this OR that"', [{ ...term("THIS", "OR", "THAT"), isExact: true }]],
    ["a qualifier in a phrase", '"tag:finance"', [{ ...term("TAG", "FINANCE"), isExact: true }]],
    ["an address", "https://example", [term("HTTPS", "EXAMPLE")]],
    ["a colon after a word", "Title: a time:12", [term("TITLE"), term("A"), term("TIME", "12")]],
  ])("can contain %s", (_, query, terms) => {
    expect(parseSearchQuery(query)).toEqual(terms);
  });

  test.each([
    ["without words", "  … !? ", "no word"],
    ["with an open quotation mark", 'a "b c', "unclosed"],
    ["with only exclusions", '-draft -"old page"', "only excludes words"],
    ["with an operator", "a OR b", "operator OR"],
    ["with another operator", "a NOT b", "operator NOT"],
    ["with an operator symbol", "a || b", "operator ||"],
    ["with a tag", "a tag:finance", "parameters owner, since or metadata.<key>"],
    ["with a tag by its key", "a metadata.project:alpha", "metadata.<key>"],
    ["with an owner", 'a -owner:"Ada B"', '"owner:\\"Ada'],
    ["with a part of the page as qualifier", "title:numbers", '"title:numbers"'],
    ["with a time", "a since:2026", '"since:2026"'],
    ["of too many words", "a ".repeat(33), "at most 32"],
  ])("%s is refused with the right syntax", (_, query, reason) => {
    expect(() => parseSearchQuery(query)).toThrow(reason);
    expect(() => parseSearchQuery(query)).toThrow('"an exact phrase"');
  });
});
