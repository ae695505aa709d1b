import type { MetadataFilters } from "../http/query.ts";
import { canFind, type Searcher } from "../policies/access.ts";
import type { SearchTerm } from "./search-query.ts";
import type { Segment, SegmentRow } from "./segment.ts";
import type { LiveSegment } from "./snapshot.ts";

/** A drop that the index has found. Whether the reader may read it is still to be looked up. */
export interface Candidate {
  readonly segment: Segment;
  readonly row: SegmentRow;
  readonly score: number;
}

/** What the index has found, best first. */
export interface RankedDrops {
  readonly candidates: readonly Candidate[];
  /** The rarity of each term that is sought, in the order of the query. */
  readonly rarities: readonly number[];
}

/** Whom a search is for, and what it leaves out. */
export interface SearchScope {
  readonly searcher: Searcher;
  /** @default - any */
  readonly ownerId?: string | undefined;
  /** Earliest time of the last change, in Unix milliseconds. @default - any */
  readonly sinceMs?: number | undefined;
  /** @default - any */
  readonly tags?: MetadataFilters;
}

/** A word that few pages have is also looked for within longer words: compounds, and words with an article or a case at them. */
const fewPages = 20;

/** Terms of a query whose frequencies are compared. Counting them takes most of the time, and few queries have more. */
const rankedTermsMax = 8;

/** A word within another counts half of one that stands alone once. */
const withinFrequency = 0.5;

/** A page of today counts so much more than one that is older than the half-life many times over. */
const freshShare = 0.25;
const freshHalfLifeMs = 90 * 24 * 60 * 60 * 1000;

/** A segment while it is searched. */
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
 * The drops that match, best first: BM25 over what the searcher may find, with the weights of `searchedParts`, and newer ones above older ones.
 * The number of pages that the searcher may not find changes no order.
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

/** The share by which a page of this age counts more. */
export function freshness(updatedAtMs: number, nowMs: number): number {
  return 1 + freshShare * 0.5 ** (Math.max(0, nowMs - updatedAtMs) / freshHalfLifeMs);
}
