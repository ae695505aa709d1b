import { type Drop, isLocked } from "../drops/drop.ts";
import { freshness } from "./rank.ts";
import { changeableTexts } from "./read-document.ts";
import { type SearchedPart, searchedParts } from "./search-document.ts";
import type { SearchTerm } from "./search-query.ts";
import { frequencyPart, type Segment, type SegmentRow } from "./segment.ts";
import { countPlaces } from "./snippet.ts";

// A drop may have changed since it was indexed, or may not be indexed yet. Its title, description and tags are read from its row. Its text,
// context and file names are read from the index, if the current page is indexed.

/** Index entry of a drop. */
export interface IndexedDrop {
  readonly segment: Segment;
  readonly row: SegmentRow;
}

/** Returns true if a drop currently contains all terms and no excluded term. `files` contains the matching names of its files. */
export function matchesTerms(
  { drop, text }: { readonly drop: Drop; readonly text: IndexedDrop | undefined },
  files: string,
  terms: readonly SearchTerm[],
): boolean {
  // An excluded term cannot be checked while the page's text is not indexed.
  const isWhole = text !== undefined || isLocked(drop);
  if (!isWhole && terms.some(({ isExcluded }) => isExcluded)) return false;
  const texts = [...Object.values(presentTexts(drop)), files];
  return terms.every((term) => {
    const sought = { ...term, isExcluded: false, isExact: term.isExact || term.isExcluded };
    const isFound =
      texts.some((one) => countPlaces(one, sought) > 0) ||
      // Only a new version can change these parts.
      (text?.segment.has(text.row.id, sought, ["text", "context"]) ?? false);
    return isFound !== term.isExcluded;
  });
}

/** Scores a drop by its current title, description and tags. The score is comparable with the scores of `rankDrops`. */
export function scoreOf(
  drop: Drop,
  indexed: IndexedDrop | undefined,
  terms: readonly SearchTerm[],
  rarities: readonly number[],
  nowMs: number,
): number {
  const texts = Object.entries(presentTexts(drop));
  const sum = terms
    .filter(({ isExcluded }) => !isExcluded)
    .reduce((total, term, index) => {
      const frequency = texts.reduce(
        (weighted, [part, text]) => weighted + searchedParts[part as SearchedPart] * countPlaces(text, term),
        0,
      );
      return total + (rarities[index] ?? 0) * frequencyPart(frequency, indexed?.row.length ?? 0);
    }, 0);
  return sum * freshness(drop.updatedAtMs, nowMs);
}

function presentTexts(drop: Drop): Partial<Record<SearchedPart, string>> {
  return { title: drop.title, ...changeableTexts(drop) };
}
