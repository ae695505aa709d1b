import type { MetadataFilters } from "../http/query.ts";
import { canFind, type Searcher } from "../policies/access.ts";
import type { SearchTerm } from "./search-query.ts";
import type { Segment, SegmentRow } from "./segment.ts";
import type { LiveSegment } from "./snapshot.ts";

/** A drop that the index has found. The reader's access is checked later. */
export interface Candidate {
  readonly segment: Segment;
  readonly row: SegmentRow;
  readonly score: number;
}

/** The drops that the index has found, best first. */
export interface RankedDrops {
  readonly candidates: readonly Candidate[];
  /** The rarity of each searched term, in the order of the query. */
  readonly rarities: readonly number[];
}

/** The searcher and the filters of a search. */
export interface SearchScope {
  readonly searcher: Searcher;
  /** @default - any */
  readonly ownerId?: string | undefined;
  /** Earliest time of the last change, in Unix milliseconds. @default - any */
  readonly sinceMs?: number | undefined;
  /** @default - any */
  readonly tags?: MetadataFilters;
}

/**
 * Number of pages below which a word is also searched within longer words: compounds, and words with an attached
 * article or case.
 */
const fewPages = 20;

/** Maximum of a query's terms that are ranked by frequency. Counting takes most of the time, and few queries have more terms. */
const rankedTermsMax = 8;

/** A match within a longer word counts as half a whole word. */
const withinFrequency = 0.5;

/** Share by which a page of today counts more than a very old one. */
const freshShare = 0.25;
const freshHalfLifeMs = 90 * 24 * 60 * 60 * 1000;

/** A segment during a search. */
interface Searched {
  readonly segment: Segment;
  /** Rows that the searcher may read, by id. */
  readonly rows: readonly (SegmentRow | undefined)[];
  /** The sum of all terms, by the rows' ids. */
  readonly scores: Float64Array;
  /** The number of terms that match, by the rows' ids. */
  readonly matched: Uint8Array;
}

/** Documents of a segment that match, with the frequency part of BM25. */
type Matches = ReadonlyMap<number, number>;

/**
 * Ranks matching drops, best first: BM25 over the drops that the searcher may find, with the weights of `searchedParts`
 * and a bonus for newer ones. Pages that the searcher may not find do not affect the order.
 */
export function rankDrops(
  segments: readonly LiveSegment[],
  terms: readonly SearchTerm[],
  scope: SearchScope,
  nowMs: number,
): RankedDrops {
  const rarities: number[] = [];
  const all = segments.map((one) => toSearched(one, scope, nowMs));
  const count = all.reduce((sum, { rows }) => sum + rows.filter((row) => row !== undefined).length, 0);
  const sought = terms.filter((term) => !term.isExcluded);
  for (const [place, term] of sought.entries()) {
    const matches = matchAll(all, term, place < rankedTermsMax);
    const matchCount = matches.reduce((sum, { size }) => sum + size, 0);
    const rarity = Math.log(1 + (count - matchCount + 0.5) / (matchCount + 0.5));
    rarities.push(rarity);
    for (const [index, { scores, matched }] of all.entries())
      for (const [id, frequency] of matches[index] as Matches) {
        scores[id] = (scores[id] as number) + rarity * frequency;
        matched[id] = (matched[id] as number) + 1;
      }
  }
  for (const term of terms)
    if (term.isExcluded)
      for (const [index, found] of matchAll(all, term, false).entries())
        for (const id of found.keys()) (all[index] as Searched).matched[id] = 0;
  const candidates = all
    .flatMap(({ segment, rows, scores, matched }) =>
      rows.flatMap((row) =>
        row !== undefined && matched[row.id] === sought.length && isWanted(row, scope)
          ? [{ row, segment, score: (scores[row.id] as number) * freshness(row.updatedAtMs, nowMs) }]
          : [],
      ),
    )
    .sort((a, b) => b.score - a.score || b.row.updatedAtMs - a.row.updatedAtMs);
  return { candidates, rarities };
}

function toSearched({ segment, rows }: LiveSegment, { searcher }: SearchScope, nowMs: number): Searched {
  const length = segment.rows.length + 1;
  const findable = Array.from<SegmentRow | undefined>({ length });
  for (const [id, row] of rows) if (canFind(row, searcher, nowMs)) findable[id] = row;
  return { segment, rows: findable, scores: new Float64Array(length), matched: new Uint8Array(length) };
}

function matchAll(all: readonly Searched[], term: SearchTerm, isRanked: boolean): Matches[] {
  const matches = all.map(({ segment, rows }) => {
    const found = new Map<number, number>();
    segment.match(term, isRanked, (id, frequency) => {
      if (rows[id] !== undefined) found.set(id, Math.max(frequency, found.get(id) ?? 0));
    });
    return found;
  });
  const [word, ...more] = term.terms;
  const isWord =
    word !== undefined && more.length === 0 && !term.isExact && !term.isExcluded && !term.isPrefix;
  if (!isWord || matches.reduce((sum, { size }) => sum + size, 0) >= fewPages) return matches;
  for (const [index, { segment, rows }] of all.entries()) {
    const found = matches[index] as Map<number, number>;
    for (const id of segment.matchWithin(word))
      if (rows[id] !== undefined && !found.has(id)) found.set(id, withinFrequency);
  }
  return matches;
}

function isWanted(row: SegmentRow, { ownerId, sinceMs = 0, tags = [] }: SearchScope): boolean {
  if ((ownerId !== undefined && row.ownerId !== ownerId) || row.updatedAtMs < sinceMs) return false;
  if (tags.length === 0) return true;
  const metadata = new Map(JSON.parse(row.metadata));
  return tags.every(([key, value]) => metadata.get(key) === value);
}

/** The factor by which a page of this age counts more. */
export function freshness(updatedAtMs: number, nowMs: number): number {
  return 1 + freshShare * 0.5 ** (Math.max(0, nowMs - updatedAtMs) / freshHalfLifeMs);
}
