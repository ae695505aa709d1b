import type { Audience } from "../drops/audiences.ts";
import type { SearchTerm } from "./search-query.ts";
import type { Segment, SegmentRow } from "./segment.ts";
import type { LiveSegment } from "./snapshot.ts";

/** A drop that the index has found. Whether the reader may read it is still to be looked up. */
export interface Candidate {
  readonly segment: Segment;
  readonly row: SegmentRow;
}

/** Whom a search is for, and what it leaves out. */
export interface SearchScope {
  /** The searcher's account: its own drops are all found. @default - they have none */
  readonly userId: string | undefined;
  readonly audiences: ReadonlySet<Audience>;
  /** @default - any */
  readonly ownerId?: string | undefined;
  /** Earliest time of the last change, in Unix milliseconds. @default - any */
  readonly sinceMs?: number | undefined;
}

/** A word that few pages have is also looked for within longer words: compounds, and words with an article or a case at them. */
const fewPages = 20;

/** A word within another counts half of one that stands alone once. */
const withinFrequency = 0.5;

/** A page of today counts so much more than one that is older than the half-life many times over. */
const freshShare = 0.25;
const freshHalfLifeMs = 90 * 24 * 60 * 60 * 1000;

/**
 * The drops that match, best first: BM25 over what the searcher may find, with the weights of `searchedParts`, and newer ones above older ones.
 * The number of pages that the searcher may not find changes no order.
 */
export function rankDrops(
  segments: readonly LiveSegment[],
  terms: readonly SearchTerm[],
  scope: SearchScope,
  nowMs: number,
): Candidate[] {
  const found = segments.map(({ segment, rows }) => ({
    segment,
    rows: new Map([...rows].filter(([, row]) => isFindable(row, scope))),
  }));
  const count = found.reduce((sum, { rows }) => sum + rows.size, 0);
  const scores = new Map<SegmentRow, { segment: Segment; score: number; matched: number }>();
  const excluded = new Set<SegmentRow>();
  const sought = terms.filter((term) => !term.isExcluded);
  for (const term of sought) {
    const matches = matchAll(found, term);
    const rarity = Math.log(1 + (count - matches.size + 0.5) / (matches.size + 0.5));
    for (const [row, { segment, frequency }] of matches) {
      const before = scores.get(row) ?? { segment, score: 0, matched: 0 };
      scores.set(row, { segment, score: before.score + rarity * frequency, matched: before.matched + 1 });
    }
  }
  for (const term of terms) {
    if (term.isExcluded) for (const row of matchAll(found, term).keys()) excluded.add(row);
  }
  return [...scores]
    .filter(([row, { matched }]) => matched === sought.length && !excluded.has(row) && isWanted(row, scope))
    .map(([row, { segment, score }]) => ({ row, segment, score: score * freshness(row, nowMs) }))
    .sort((a, b) => b.score - a.score || b.row.updatedAtMs - a.row.updatedAtMs)
    .map(({ row, segment }) => ({ row, segment }));
}

interface Match {
  readonly segment: Segment;
  readonly frequency: number;
}

function matchAll(segments: readonly LiveSegment[], term: SearchTerm): ReadonlyMap<SegmentRow, Match> {
  const matches = new Map<SegmentRow, Match>();
  const add = ({ segment, rows }: LiveSegment, id: number, frequency: number) => {
    const row = rows.get(id);
    if (row !== undefined && !matches.has(row)) matches.set(row, { segment, frequency });
  };
  for (const one of segments) for (const [id, frequency] of one.segment.match(term)) add(one, id, frequency);
  const [word, ...more] = term.terms;
  const isWord =
    word !== undefined && more.length === 0 && !term.isExact && !term.isExcluded && !term.isPrefix;
  if (!isWord || matches.size >= fewPages) return matches;
  for (const one of segments) for (const id of one.segment.matchWithin(word)) add(one, id, withinFrequency);
  return matches;
}

function isFindable(row: SegmentRow, { userId, audiences }: SearchScope): boolean {
  return row.ownerId === userId || (!row.isLocked && isForAny(row, audiences));
}

/** Decides whether a drop is listed for one of these audiences. */
export function isForAny(row: SegmentRow, audiences: ReadonlySet<Audience>): boolean {
  for (const audience of row.audiences) if (audiences.has(audience)) return true;
  return false;
}

function isWanted(
  { ownerId, updatedAtMs }: SegmentRow,
  { ownerId: only, sinceMs = 0 }: SearchScope,
): boolean {
  return (only === undefined || ownerId === only) && updatedAtMs >= sinceMs;
}

function freshness({ updatedAtMs }: SegmentRow, nowMs: number): number {
  return 1 + freshShare * 0.5 ** (Math.max(0, nowMs - updatedAtMs) / freshHalfLifeMs);
}
