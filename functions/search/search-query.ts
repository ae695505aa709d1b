import { ApiError } from "../core/errors.ts";
import { quote } from "../http/schemas.ts";
import { termsOf } from "./tokens.ts";

/** Term of a query: a word, a prefix or a phrase, which a page must contain or must not contain. */
export interface SearchTerm {
  /** Words of the term. A phrase, a hyphenated word, or a word in a script without spaces consists of several. */
  readonly terms: readonly string[];
  /** True if the last word is a prefix. */
  readonly isPrefix: boolean;
  readonly isExcluded: boolean;
  /** True if the term was in quotation marks. Longer words do not match such a term. */
  readonly isExact: boolean;
}

/** Explanation of the query syntax, used as the last sentence of error messages. */
export const searchSyntax =
  'Use words that must all match, "an exact phrase", -word to exclude a word, or begin* for a prefix.';

/** Maximum number of words (or characters of a script without spaces) in a query. */
export const termsMax = 32;

/** Matches a part of a query: an optional hyphen for exclusion, then a quoted phrase or a word. */
const partPattern = /(?<hyphen>(?<=^|\s)-)?(?:"(?<phrase>[^"]*)"|(?<word>[^\s"]+))/gu;

/** Matches typographic quotation marks, which some keyboards type. */
const quotationMarks = /[“”„‟«»＂]/gu;

/** Operators of other search engines, in upper case. In lower case, they are ordinary words. */
const operators: ReadonlySet<string> = new Set(["AND", "NOT", "OR", "||", "&&"]);

/** Matches a qualifier of other search engines, such as `tag:finance` or `owner:"Ada"`. */
const qualifierPattern =
  /^(?:metadata|meta|tags?|labels?|filter|where|owner|author|user|by|account|since|after|from|before|until|created|updated|modified|date|type|kind|category|in|field|title|intitle|text|intext|content|description|context|file|filename|is|has|sort|order)(?:\.[\w-]+)?:(?!\/\/)/iu;

/** Reasons why a query is refused. */
export type SearchFault = keyof typeof messages;

/** Parses a search query. Returns its terms, or the reason why it is refused. */
export function readSearchQuery(sent: string): readonly SearchTerm[] | SearchFault {
  const query = sent.replace(quotationMarks, '"');
  if ((query.split('"').length - 1) % 2 === 1) return "open-quotation-mark";
  if (findQualifier(query) !== undefined) return "qualifier";
  if (findOperator(query) !== undefined) return "operator";
  const terms = [...query.matchAll(partPattern)].flatMap(({ groups = {} }): SearchTerm[] => {
    const { hyphen, phrase, word = "" } = groups;
    const isPrefix = phrase === undefined && word.endsWith("*");
    const found = termsOf(phrase ?? word);
    const isExcluded = hyphen !== undefined;
    return found.length === 0 ? [] : [{ terms: found, isPrefix, isExcluded, isExact: phrase !== undefined }];
  });
  if (terms.length === 0) return "no-words";
  if (terms.every(({ isExcluded }) => isExcluded)) return "exclusions-alone";
  if (terms.reduce((sum, one) => sum + one.terms.length, 0) > termsMax) return "too-many-words";
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}

function findOperator(query: string): string | undefined {
  return unquotedWords(query).find((word) => operators.has(word));
}

/** Finds the first qualifier, with the first word of its value. */
function findQualifier(query: string): string | undefined {
  return unquotedWords(query).find((word) => qualifierPattern.test(word));
}

/** Returns the words outside quotation marks. A phrase directly after a colon belongs to the word before the colon. */
function unquotedWords(sent: string): string[] {
  const parts = sent
    .replace(quotationMarks, '"')
    .replace(/(?<!:)"[^"]*"/gu, " ")
    .split(/\s+/u);
  return parts.map((word) => word.replace(/^-/, "")).filter((word) => !word.endsWith(":"));
}

const messages = {
  "open-quotation-mark": (sent) => `q has an unclosed quotation mark: ${quote(sent)}.`,
  "no-words": (sent) => `q has no word to search for: ${quote(sent)}.`,
  "exclusions-alone": (sent) => `q only excludes words: ${quote(sent)}. Add a word that pages must have.`,
  operator: (sent) =>
    `q has the operator ${findOperator(sent)}: ${quote(sent)}. A search finds pages that have all words; for pages that have one of several, search for each. To look for the word itself, write it in small letters.`,
  qualifier: (sent) =>
    `q has the qualifier ${quote(findQualifier(sent) ?? "")}. To select by owner, time or tag, send the parameters owner, since or metadata.<key>. To search these words, put them in quotation marks.`,
  "too-many-words": () =>
    `q has too many words (or characters of a script without spaces): at most ${termsMax} are allowed.`,
} as const satisfies Record<string, (sent: string) => string>;

/** Parses the search query of an API call or a tool call. @throws ApiError `invalid_arg` for a query with a fault */
export function parseSearchQuery(sent: string): readonly SearchTerm[] {
  const terms = readSearchQuery(sent);
  if (typeof terms !== "string") return terms;
  const message = `${messages[terms](sent)} ${searchSyntax}`;
  throw new ApiError("invalid_arg", { message, details: { parameter: "q" } });
}
