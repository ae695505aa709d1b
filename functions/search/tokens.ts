import { optionalMarks } from "../core/normalize-text.ts";

/** A word of a text, or a character of a script that is written without spaces. */
export interface Token {
  /** The normalized form, for comparisons. */
  readonly term: string;
  /** Offset of the first character in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** Scripts whose words are not separated: each character with its marks is a token, and a word is a phrase of them. */
const unspacedScripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"] as const;

const unspaced = unspacedScripts.map((script) => `\\p{Script=${script}}`).join("");

/** Articles and pronouns that lose their vowel before another: they are separate words in French, Italian and Catalan. */
const elided = "jusqu|lorsqu|puisqu|quoiqu|dall|dell|nell|sull|all|qu|un|[cdjlmnstv]";

/** A token: one character of an unspaced script, or letters, digits and marks, with apostrophes between letters. */
const tokenPattern = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${elided})(?=['’]\\p{L})|[${unspaced}ー々][\\p{M}\\uff9e\\uff9f]*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}\\u0640\\u200c\\u200d])+(?:['’](?![${unspaced}])\\p{L}+)*`,
  "giu",
);

/** Apostrophes, the Arabic elongation, joiners and other characters without a width. */
const unseen = /['’\u0640\p{Default_Ignorable_Code_Point}]/gu;

/** Letters in upper case that people type differently, and that Unicode does not decompose. */
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
 * The term of a word: without case, accents, apostrophes, variants of width and style. Unicode Standard Annex 15, form NFKD.
 *
 * @example
 * toTerm("Straße") === toTerm("STRASSE"); // true
 */
export function toTerm(word: string): string {
  // Most words are ASCII, and the rest costs ten times as much.
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

/** Recognizes single characters of Han and kana. Normalization leaves them unchanged, and a page in Chinese or Japanese has tens of thousands. */
function isItsOwnTerm(word: string): boolean {
  if (word.length !== 1) return false;
  const code = word.charCodeAt(0);
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fa)
  );
}

/** Calls `visit` with the tokens of a text in its order, from an offset on, until it returns false. */
export function visitTokens(text: string, visit: (token: Token) => unknown, from = 0): void {
  const pattern = new RegExp(tokenPattern);
  pattern.lastIndex = from;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [word] = found;
    const term = toTerm(word);
    if (term === "") continue;
    // Some compatibility forms decompose with a space, which would make two terms.
    const joined = /\s/u.test(term) ? term.replaceAll(/\s/gu, "") : term;
    if (visit({ term: joined, start: found.index, end: found.index + word.length }) === false) return;
  }
}

/** The terms of a text. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  visitTokens(text, ({ term }) => terms.push(term));
  return terms;
}
