import { optionalMarks } from "../core/normalize-text.ts";

/** A word of a text, or a character of a script that is written without spaces. */
export interface Token {
  /** Normalized form of the word, for comparisons. */
  readonly term: string;
  /** Offset of the first character in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** Scripts written without spaces. Each character with its marks is a token, so a word is a phrase of tokens. */
const unspacedScripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"] as const;

const unspaced = unspacedScripts.map((script) => `\\p{Script=${script}}`).join("");

/** Elided articles and pronouns in French, Italian and Catalan, which are separate words before an apostrophe. */
const elided = "jusqu|lorsqu|puisqu|quoiqu|dall|dell|nell|sull|all|qu|un|[cdjlmnstv]";

/** Matches a token: a character of a script without spaces, or letters, digits and marks with apostrophes between letters. */
const tokenPattern = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${elided})(?=['’]\\p{L})|[${unspaced}ー々][\\p{M}\\uff9e\\uff9f]*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}\\u0640\\u200c\\u200d])+(?:['’](?![${unspaced}])\\p{L}+)*`,
  "giu",
);

/** Matches characters that are removed from terms: apostrophes, the Arabic tatweel, joiners and other invisible characters. */
const unseen = /['’\u0640\p{Default_Ignorable_Code_Point}]/gu;

/** Replacements for letters that Unicode does not decompose, and that people often type differently. */
const typedAs: Readonly<Record<string, string>> = {
  Đ: "D",
  Ð: "D",
  Ł: "L",
  Ø: "O",
  Æ: "AE",
  Œ: "OE",
  Þ: "TH",
  Ħ: "H",
  ى: "ي",
  ة: "ه",
};

const typedOtherwise = new RegExp(`[${Object.keys(typedAs).join("")}]`, "gu");

/**
 * Normalizes a word to a term: removes case, accents, apostrophes, and variants of width and style; see form NFKD,
 * Unicode Standard Annex 15.
 *
 * @example
 * toTerm("Straße") === toTerm("STRASSE"); // true
 */
export function toTerm(word: string): string {
  // Most words are ASCII, and full normalization costs ten times as much.
  if (/^[A-Za-z0-9]+$/.test(word)) return word.toUpperCase();
  if (isItsOwnTerm(word)) return word;
  return word
    .normalize("NFKD")
    .toLowerCase()
    .toUpperCase()
    .normalize("NFKD")
    .replace(optionalMarks, "")
    .replace(unseen, "")
    .replace(typedOtherwise, (letter) => typedAs[letter] ?? letter)
    .normalize("NFKC");
}

/** Returns true for a Han or kana character, which normalization leaves unchanged. A page can contain tens of thousands. */
function isItsOwnTerm(word: string): boolean {
  if (word.length !== 1) return false;
  const code = word.charCodeAt(0);
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fa)
  );
}

/** Calls `visit` with each token of a text, in order from the offset `from`, until `visit` returns false. */
export function visitTokens(text: string, visit: (token: Token) => unknown, from = 0): void {
  const pattern = new RegExp(tokenPattern);
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [word] = found;
    const term = toTerm(word);
    if (term === "") continue;
    // Some compatibility characters decompose to a sequence with a space, which would become two terms.
    const joined = /\s/u.test(term) ? term.replaceAll(/\s/gu, "") : term;
    if (visit({ term: joined, start: found.index, end: found.index + word.length }) === false) return;
  }
}

/** Splits a text into terms. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  visitTokens(text, ({ term }) => terms.push(term));
  return terms;
}
