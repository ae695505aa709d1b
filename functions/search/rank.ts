import type { MetadataFilters } from "../http/query.ts";
import { canFind, type Searcher } from "../policies/access.ts";
import type { SearchTerm } from "./search-query.ts";
import { isFoundWithin, type Segment, type SegmentRow } from "./segment.ts";
import type { LiveSegment } from "./snapshot.ts";

/** A drop found in the index. The reader's access to the current drop is checked later. */
export interface Candidate {
  readonly segment: Segment;
  readonly row: SegmentRow;
  readonly score: number;
}

/** The searcher and the filters of a search. */
interface SearchScope {
  readonly searcher: Searcher;
  /** Account of the owner whose drops are searched. @default - all owners */
  readonly ownerId?: string | undefined;
  /** Earliest time of a drop's last change, in Unix milliseconds. @default - any time */
  readonly sinceMs?: number | undefined;
  /** Tags that a drop must have. @default - any tags */
  readonly tags?: MetadataFilters;
}

/**
 * A word with fewer matching pages than this is also searched within longer words. Longer words can be compounds, or have an attached
 * article or case ending.
 */
const fewPages = 20;

/** Maximum number of query terms that are ranked by frequency. Few queries have more terms, and counting takes most of a search's time. */
const rankedTermsMax = 8;

/** Weight of a match within a longer word, compared with a match of a whole word. */
const withinFrequency = 0.5;

/** Score bonus of a page that changed today, relative to a very old page. The bonus decreases with this half-life. */
const freshShare = 0.25;
const freshHalfLifeMs = 90 * 24 * 60 * 60 * 1000;

/** A segment that is being searched. */
interface Searched {
  readonly segment: Segment;
  /** Rows that the searcher may read, by id. */
  readonly rows: readonly (SegmentRow | undefined)[];
  /** Sum of the terms' scores, by row id. */
  readonly scores: Float64Array;
  /** Number of matching terms, by row id. */
  readonly matched: Uint8Array;
}

/** Ids of matching documents in a segment, with the term-frequency factor of BM25. */
type Matches = ReadonlyMap<number, number>;

/**
 * Ranks matching drops by BM25, best first, with the weights of `searchedParts` and a bonus for newer drops. Drops that
 * the searcher may not find do not affect the order. Also returns the inverse document frequency (IDF) of each searched term, in the order of
 * the query.
 */
export function rankDrops(
  segments: readonly LiveSegment[],
  terms: readonly SearchTerm[],
  scope: SearchScope,
  nowMs: number,
): { readonly candidates: readonly Candidate[]; readonly rarities: readonly number[] } {
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
  const isFoundInLonger = isFoundWithin(term) && !term.isExcluded && !term.isPrefix;
  if (!isFoundInLonger || matches.reduce((sum, { size }) => sum + size, 0) >= fewPages) return matches;
  for (const [index, { segment, rows }] of all.entries()) {
    const found = matches[index] as Map<number, number>;
    for (const id of segment.matchWithin(term.terms[0] as string))
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

/** Score factor that ranks newer pages higher. */
export function freshness(updatedAtMs: number, nowMs: number): number {
  return 1 + freshShare * 0.5 ** (Math.max(0, nowMs - updatedAtMs) / freshHalfLifeMs);
}
