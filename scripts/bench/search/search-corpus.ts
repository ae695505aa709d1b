import type { SearchDocument } from "../../../functions/search/search-document.ts";
import { seededNumbers } from "../seeded-numbers.ts";

/** Different words of the corpus. As in real texts, a few are in most pages, and most are in few. */
const vocabularySize = 60_000;

/** Letters of a drop's text. */
const textLength = 5_000;

const syllables =
  "ba be bo da de do fa ga ge ha ka ke ki la le li lo ma me mi na ne no pa ra re ri sa se so ta te to va wa".split(
    " ",
  );

/** The word of a rank, from the most frequent on. */
function wordOf(rank: number): string {
  let [rest, word] = [rank + syllables.length, ""];
  while (rest > 0) {
    word += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
  }
  return word;
}

const vocabulary = Array.from({ length: vocabularySize }, (_, rank) => wordOf(rank));

/** A rank by Zipf's law. */
function pickRank(randomInt: (exclusiveMax: number) => number): number {
  return Math.floor(vocabularySize ** (randomInt(2 ** 32) / 2 ** 32)) - 1;
}

/** Drops of 5 KB of text, of 50 owners, for members. */
function* searchCorpus(first: number, count: number): Generator<SearchDocument> {
  const randomInt = seededNumbers(first + 1);
  for (let index = first; index < first + count; index += 1) {
    const words = (wanted: number) =>
      Array.from({ length: wanted }, () => vocabulary[pickRank(randomInt)]).join(" ");
    let text = "";
    while (text.length < textLength) text += `${words(12)}. `;
    const slug = index.toString(36).padStart(7, "0");
    const title = words(5);
    yield {
      ownerId: `owner${index % 50}`,
      slug,
      revision: 1,
      version: 1,
      pageKey: `${slug}/0000000000000000.html`,
      createdAtMs: index,
      updatedAtMs: index,
      audiences: ["members"],
      isLocked: false,
      metadata: [],
      titleWords: title.toUpperCase(),
      texts: { title, description: words(12), metadata: words(2), context: "", files: "", fileIds: [], text },
    };
  }
}

/** Drops of the segments that the writer keeps, by their level: those before a merge, and merged ones. */
const segmentSizes = [256, 2_048] as const;

/** A segment of the corpus's index. */
interface CorpusSegment {
  readonly level: number;
  readonly documents: readonly SearchDocument[];
}

/** The segments that an index of so many drops has, oldest first. */
export function* corpusSegments(drops: number): Generator<CorpusSegment> {
  let written = 0;
  for (const level of [1, 0] as const) {
    while (drops - written >= segmentSizes[level] || (level === 0 && written < drops)) {
      const count = Math.min(segmentSizes[level], drops - written);
      yield { level, documents: [...searchCorpus(written, count)] };
      written += count;
    }
  }
}

/** Queries as people type them: one to three words, rare and frequent ones, phrases, beginnings and exclusions. */
export function searchQueries(count: number): string[] {
  const randomInt = seededNumbers(0);
  const word = () => vocabulary[pickRank(randomInt)] ?? "";
  const kinds = [
    () => word(),
    () => `${word()} ${word()}`,
    () => `${word()} ${word()} ${word()}`,
    () => `"${word()} ${word()}"`,
    () => `${word().slice(0, 4)}*`,
    () => `${word()} -${word()}`,
  ];
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length]?.() ?? "");
}
