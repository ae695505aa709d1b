/** A word of a text, or a character of a script that is written without spaces. */
export interface Token {
  /** The form in which tokens are compared. */
  readonly term: string;
  /** Offset of the first character in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** Scripts whose words are not separated: each character with its marks is a token, and a word is a phrase of them. */
const unspacedScripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"] as const;

const unspaced = unspacedScripts.map((script) => `\\p{Script=${script}}`).join("");

/** Articles and pronouns that lose their vowel before another: they are words of their own in French, Italian and Catalan. */
const elided = "jusqu|lorsqu|puisqu|quoiqu|dall|dell|nell|sull|all|qu|un|[cdjlmnstv]";

/** A token: one character of an unspaced script, or letters, digits and marks, with apostrophes between letters. */
const tokenPattern = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${elided})(?=['’]\\p{L})|[${unspaced}ー々][\\p{M}\\uff9e\\uff9f]*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}\\u0640\\u200c\\u200d])+(?:['’](?![${unspaced}])\\p{L}+)*`,
  "giu",
);

/** Marks that people leave out when they type: those of every script and the points of Hebrew, and not those that make other kana. */
const optionalMarks = /(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Hebrew}]/gu;

/** Apostrophes, the Arabic elongation, joiners and other characters without a width. */
const unseen = /['’\u0640\p{Default_Ignorable_Code_Point}]/gu;

/** Letters that people type otherwise, and that Unicode does not decompose. In upper case. */
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

/** The tokens of a text, in its order. */
export function* tokensOf(text: string): Generator<Token> {
  for (const { 0: word, index } of text.matchAll(tokenPattern)) {
    const term = toTerm(word);
    // A term with a space in it would be two: some compatibility forms decompose so.
    if (term !== "") yield { term: term.replaceAll(/\s/gu, ""), start: index, end: index + word.length };
  }
}

/** The terms of a text. */
export function termsOf(text: string): string[] {
  return [...tokensOf(text)].map(({ term }) => term);
}
