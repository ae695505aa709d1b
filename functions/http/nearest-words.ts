import type { Message } from "../core/errors.ts";
import { findSimilarName, singular, wordsIn } from "../core/names.ts";
import { isId, servicePrefix } from "./drop-address.ts";
import { absentFeatures, wordSynonyms } from "./intents.ts";

/** An item, such as an operation, that callers may describe by some of its words. */
export interface WordedItem<Item> {
  readonly item: Item;
  /** Words in the item's name. */
  readonly words: readonly string[];
  /** A sentence about the item, whose words count less than the words of the name. */
  readonly summary: string;
  /** Additional points for reasons other than words. @default 0 */
  readonly points?: number;
}

/** Words that are too general to identify a call. */
const emptyWords = "a an and api by from html in json of on php the to with yaml".split(" ");

/** Words for deleting or ending something. */
export const deletionWords =
  "delete remove destroy purge empty clear revoke dismiss logout rotate leave".split(" ");

/** Maximum number of a path's words and segments that are compared with each call, because a path may have thousands. */
export const comparedMax = 12;

/** Lists the last words of a path or a name, without ids, API versions and general words. */
export function wordsOfName(text: string): readonly string[] {
  return text
    .split(/[/:.]/)
    .filter(
      (segment, at) =>
        !isId(segment) &&
        !/^(v?\d[\d.]*|api)$/.test(segment) &&
        !(at < 4 && segment !== "public" && servicePrefix.test(segment)),
    )
    .flatMap(wordsIn)
    .filter(
      (word) =>
        word.length < 24 &&
        !/^(\d+|[a-u]|[0-9a-f]{8,})$/.test(word) &&
        (word === "html" || !emptyWords.includes(word)),
    )
    .slice(-comparedMax);
}

/**
 * Ranks items by their points and by the words that they share with a name. Rare words count more.
 *
 * @returns the items, best first; the items that share a word; and the words that match no item
 */
export function rankByWords<Item>(
  name: readonly string[],
  items: readonly WordedItem<Item>[],
): {
  readonly ranked: readonly Item[];
  readonly matching: ReadonlySet<Item>;
  readonly unknown: readonly string[];
} {
  const fits = name.map((word) => {
    const each = items.map((one) => fitOf(singular(word), one));
    const having = each.filter((fit) => fit > 0).length;
    // The last word is the most specific: the part in a path, or the object in a tool's name.
    const weight = (word === name.at(-1) ? 1.5 : 1) / Math.sqrt(Math.max(1, having));
    return { word, each: each.map((fit) => fit * weight) };
  });
  const scored = items.map(({ item, points = 0 }, at) => {
    const ofWords = fits.reduce((sum, { each }) => sum + (each[at] ?? 0), 0);
    return { item, ofWords, score: points + ofWords };
  });
  return {
    ranked: scored.toSorted((one, other) => other.score - one.score).map(({ item }) => item),
    matching: new Set(scored.filter(({ ofWords }) => ofWords > 0).map(({ item }) => item)),
    unknown: fits.filter(({ each }) => each.every((fit) => fit === 0)).map(({ word }) => word),
  };
}

/** Returns true if the word is another service's synonym for one of the given words. */
export function hasSynonym(words: readonly string[], word: string): boolean {
  return Object.entries(wordSynonyms).some(
    ([key, others]) => others.split(" ").includes(word) && key.split(" ").some((one) => words.includes(one)),
  );
}

/** Finds advice for a word that means an absent feature. */
export function findAbsent(word: string): Message | undefined {
  return Object.entries(absentFeatures).find(([key]) => key.split(" ").includes(singular(word)))?.[1];
}

/** Recognizes words that occur in the names of this or another service's calls. */
export function isKnownWord(word: string): boolean {
  const known = [...Object.entries(wordSynonyms).flat(), ...Object.keys(absentFeatures)];
  return known.some((words) => words.split(" ").includes(singular(word)));
}

/** Rates how well a word fits an item: the same word, a synonym, a similar word, or a word of the summary. */
function fitOf(word: string, { words, summary }: WordedItem<unknown>): number {
  if (words.includes(word)) return 4;
  if (hasSynonym(words, word)) return 3;
  // Short words that differ in one letter have different meanings, such as "star" and "start".
  const similar =
    word.length > 4
      ? findSimilarName(
          word,
          words.filter((one) => one[0] === word[0]),
        )
      : undefined;
  if (similar !== undefined && similar !== `un${word}` && word !== `un${similar}`) return 2;
  // A word for an absent feature must not match an item whose summary happens to contain the word.
  const isTelling = word.length > 3 && findAbsent(word) === undefined;
  return isTelling && wordsOfSummary(summary).includes(word) ? 1 : 0;
}

/** Lists the words of a summary, except paths, which belong to other calls. */
function wordsOfSummary(summary: string): readonly string[] {
  const words = summary.toLowerCase().split(" ");
  return words.filter((word) => !word.includes("/")).flatMap((word) => word.split(/\W/));
}
