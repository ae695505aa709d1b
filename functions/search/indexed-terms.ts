import type { BoundedTexts, IndexedTexts, SearchedPart } from "./search-document.ts";
import { visitTokens } from "./tokens.ts";

/** Maximum number of indexed words (or characters of a script without spaces) in a drop, over all its parts. */
export const tokensPerDropMax = 20_000;

/** Maximum number of tokens in each part, in the order of indexing. The text gets the remaining tokens. */
const tokensMax = {
  title: 1_000,
  description: 1_000,
  metadata: 4_000,
  files: 2_000,
  context: 5_000,
  text: tokensPerDropMax,
} as const satisfies Record<SearchedPart, number>;

/** Maximum length of an indexed part in UTF-16 code units, ten for each token. */
export const textLengthMax = 10 * tokensPerDropMax;

/**
 * Maximum number of occurrences in a drop of a word, and of words with the same first letters. The most frequent words of ordinary texts of
 * 20,000 words reach these limits. More repetitions would slow down searches for the word or its prefix.
 */
const repetitionsMax = [
  { letters: Number.POSITIVE_INFINITY, count: 1_000 },
  { letters: 3, count: 2_500 },
  { letters: 1, count: 6_000 },
] as const;

/** Placeholder for words above the limit, so that phrases do not match across them. It is not a letter, so no query contains it. */
const repetition = "\uf8ff";

/** Splits texts into terms and truncates both to the limits, in one pass. */
export function boundTexts(texts: IndexedTexts): BoundedTexts {
  const vocabulary = new Set<string>();
  const counts = new Repetitions();
  const cut: Record<string, string> = {};
  const terms: Record<string, readonly string[]> = {};
  let length = 0;
  for (const part of Object.keys(tokensMax) as SearchedPart[]) {
    const countMax = Math.min(tokensMax[part], tokensPerDropMax - length);
    const found = readPart(texts[part], countMax, counts, vocabulary);
    length += found.terms.length;
    cut[part] = found.text;
    terms[part] = found.terms;
  }
  return { texts: { ...texts, ...cut }, terms: terms as BoundedTexts["terms"], length, vocabulary };
}

/** Counts words, and words with the same first letters. */
class Repetitions {
  readonly #counts = repetitionsMax.map(() => new Map<string, number>());

  /** Counts a word. Returns true if the word exceeds the maximum number of repetitions. */
  isTooOften(term: string): boolean {
    let isTooOften = false;
    for (const [index, { letters, count: countMax }] of repetitionsMax.entries()) {
      const isWord = letters === Number.POSITIVE_INFINITY;
      // A short word, such as a character of a script without spaces, is not a prefix of itself.
      if (!isWord && term.length <= letters) continue;
      const beginning = isWord ? term : term.slice(0, letters);
      const counts = this.#counts[index] as Map<string, number>;
      const count = (counts.get(beginning) ?? 0) + 1;
      counts.set(beginning, count);
      if (count > countMax) isTooOften = true;
    }
    return isTooOften;
  }
}

function readPart(whole: string, countMax: number, counts: Repetitions, vocabulary: Set<string>) {
  const text = whole.slice(0, textLengthMax).toWellFormed();
  const terms: string[] = [];
  let end = text.length;
  visitTokens(text, ({ term, start }) => {
    if (terms.length === countMax) {
      end = start;
      return false;
    }
    const isTooOften = counts.isTooOften(term);
    if (!isTooOften) vocabulary.add(term);
    terms.push(isTooOften ? repetition : term);
    return true;
  });
  return { text: text.slice(0, end), terms };
}
