import { partNames, type SearchedPart, type SearchedTexts } from "./search-document.ts";
import type { SearchTerm } from "./search-query.ts";
import { isFoundWithin } from "./segment.ts";
import { type Token, visitTokens } from "./tokens.ts";

/** A passage of a text, with marked matches. Offsets are in code points. */
export interface Snippet {
  readonly text: string;
  /** Starts and ends of matches, in order. The end is exclusive. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** A match in a text. Offsets are in UTF-16 code units. */
interface Place {
  readonly start: number;
  readonly end: number;
  /** Index of the matching term in the query. */
  readonly term: number;
}

/** Length of a snippet, and of its part before the first match, in UTF-16 code units. */
const snippetLength = 240;
const before = 60;

/** Maximum number of tokens that a search scans for snippets, over all results. */
const scannedTokensMax = 30_000;

/** Number of tokens scanned around a match further down in a long text. */
const nearMatch = 100;

/** Maximum number of matches that are compared for the best snippet. */
const placesMax = 200;

/** Parts of a drop, in the order in which they are scanned. */
const scannedParts = ["title", "description", "metadata", "text", "context", "files"] as const;

/** Parts from which a snippet can come, in order of preference. The title is shown above the snippet anyway. */
const shown = ["text", "description", "context", "metadata", "files"] as const;

/** Matching parts of a drop, and the snippet with the most terms. */
export interface MatchDescription {
  readonly matched: readonly SearchedPart[];
  readonly snippet: Snippet;
}

/** Describes the results of a search within a budget of scanned tokens. Later results get the tokens that earlier results did not need. */
export function describeMatches(
  results: readonly SearchedTexts[],
  terms: readonly SearchTerm[],
): MatchDescription[] {
  let left = scannedTokensMax;
  return results.map((texts, index) => {
    const share = Math.floor(left / (results.length - index));
    const { used, ...description } = describeMatch(texts, terms, share);
    left -= used;
    return description;
  });
}

/** Describes one result, scanning at most `tokensMax` tokens. */
function describeMatch(texts: SearchedTexts, terms: readonly SearchTerm[], tokensMax: number) {
  const places = new Map<SearchedPart, readonly Place[]>();
  let used = 0;
  for (const part of scannedParts) {
    const found = findPlaces(texts[part], terms, tokensMax - used);
    used += found.used;
    places.set(part, found.places);
  }
  const matched = partNames.filter((part) => (places.get(part) as Place[]).length > 0);
  const part = shown.find((one) => matched.includes(one)) ?? shown.find((one) => texts[one] !== "") ?? "text";
  return { matched, snippet: cutSnippet(texts[part], places.get(part) ?? []), used };
}

/** Returns true if a short text contains one of the terms. Ignores excluded terms. */
export function hasAnyTerm(text: string, terms: readonly SearchTerm[]): boolean {
  return findPlaces(text, terms, shortTextMax).places.length > 0;
}

/** Counts the matches of a term in a short text. */
export function countPlaces(text: string, term: SearchTerm): number {
  return findPlaces(text, [term], shortTextMax).places.length;
}

/** Maximum number of scanned tokens in a short text: a title, a description, tag values or a file name. */
const shortTextMax = 4_000;

/** Matches in a text, and the number of scanned tokens. */
interface FoundPlaces {
  readonly places: readonly Place[];
  readonly used: number;
}

/**
 * Finds the matches of terms in a text, in order. If the beginning of a long text has no match, scans the tokens around the first match
 * further down.
 */
function findPlaces(text: string, terms: readonly SearchTerm[], tokensMax: number): FoundPlaces {
  if (tokensMax <= 0 || text === "") return { places: [], used: 0 };
  const first = findPlacesFrom(text, 0, terms, tokensMax);
  if (first.places.length > 0 || first.end === text.length) return first;
  const match = findLongest(text, first.end, terms);
  if (match === -1) return first;
  const near = findPlacesFrom(text, wordStart(text, Math.max(first.end, match - before)), terms, nearMatch);
  return { places: near.places, used: first.used + near.used };
}

/** Finds the first occurrence of a query's longest word. Ignores case, but not other differences in spelling. */
function findLongest(text: string, from: number, terms: readonly SearchTerm[]): number {
  const words = terms.flatMap((term) => (term.isExcluded ? [] : term.terms));
  const [longest] = words.toSorted((one, other) => other.length - one.length);
  if (longest === undefined) return -1;
  const pattern = new RegExp(longest.replace(/[^\p{L}\p{M}\p{N}]/gu, "."), "giu");
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

function findPlacesFrom(
  text: string,
  from: number,
  terms: readonly SearchTerm[],
  tokensMax: number,
): FoundPlaces & { readonly end: number } {
  const places: Place[] = [];
  const window: Token[] = [];
  const sought = terms.flatMap((term, index) =>
    term.isExcluded ? [] : [{ term, index, isPart: isFoundWithin(term) }],
  );
  const longest = Math.max(...terms.map((term) => term.terms.length));
  let [used, end] = [0, text.length];
  const visit = (token: Token) => {
    if (used === tokensMax || places.length >= placesMax) {
      end = token.start;
      return false;
    }
    used += 1;
    window.push(token);
    if (window.length > longest) window.shift();
    for (const { term, index, isPart } of sought) {
      if (!isMatch(window, term, isPart)) continue;
      const { start } = window[window.length - term.terms.length] as Token;
      places.push({ start, end: token.end, term: index });
    }
    return true;
  };
  visitTokens(text, visit, from);
  return { places, used, end };
}

/** Returns true if a term matches the last tokens. Compares the last token first, because it differs most often. */
function isMatch(tokens: readonly Token[], { terms, isPrefix }: SearchTerm, isPart: boolean): boolean {
  const first = tokens.length - terms.length;
  if (first < 0) return false;
  for (let index = terms.length - 1; index >= 0; index -= 1) {
    const { term } = tokens[first + index] as Token;
    const sought = terms[index] as string;
    if (term === sought) continue;
    if (isPrefix && index === terms.length - 1 && term.startsWith(sought)) continue;
    if (!isPart || !term.includes(sought)) return false;
  }
  return true;
}

/** Extracts the passage with the most distinct terms, or the beginning of the text if there are no matches. */
function cutSnippet(text: string, places: readonly Place[]): Snippet {
  const from = wordStart(text, bestStart(places));
  const to = wordEnd(text, Math.min(text.length, from + snippetLength));
  const piece = text.slice(from, to);
  const codePoints = codePointOffsets(piece);
  const marks = places
    .filter(({ start, end }) => start >= from && end <= to)
    .map(({ start, end }) => [codePoints[start - from] ?? 0, codePoints[end - from] ?? 0] as const);
  return { text: piece.replaceAll("\n", " "), marks: withoutOverlaps(marks) };
}

/** Finds the start of the passage with the most distinct terms, by a sliding window over the matches. */
function bestStart(places: readonly Place[]): number {
  const room = snippetLength - before;
  const sorted = places
    .filter(({ start, end }) => end - start <= room)
    .toSorted((one, other) => one.start - other.start);
  const counts = new Map<number, number>();
  let [best, bestCount, last] = [0, 0, 0];
  for (const { start, term } of sorted) {
    for (let next = sorted[last]; next && next.end <= start + room; next = sorted[last]) {
      counts.set(next.term, (counts.get(next.term) ?? 0) + 1);
      last += 1;
    }
    if (counts.size > bestCount) [best, bestCount] = [Math.max(0, start - before), counts.size];
    const left = (counts.get(term) ?? 0) - 1;
    if (left > 0) counts.set(term, left);
    else counts.delete(term);
  }
  return best;
}

/** Number of code points before each UTF-16 offset of a text. */
function codePointOffsets(text: string): Uint16Array {
  const offsets = new Uint16Array(text.length + 1);
  let [count, at] = [0, 0];
  for (const character of text) {
    offsets.fill(count, at, at + character.length);
    at += character.length;
    count += 1;
  }
  offsets[at] = count;
  return offsets;
}

/** Moves an offset to the start of the next word, if one is near. Never splits a character. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, at + before / 2).search(/\s/);
  return space === -1 ? characterStart(text, at) : at + space + 1;
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.slice(at - before / 2, at).search(/\s\S*$/);
  return space === -1 ? characterStart(text, at) : at - before / 2 + space;
}

function characterStart(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? "") ? at - 1 : at;
}

function withoutOverlaps(marks: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const sorted = marks.toSorted(([a, endA], [b, endB]) => a - b || endB - endA);
  let end = 0;
  return sorted.filter(([start, last]) => {
    if (start < end) return false;
    end = last;
    return true;
  });
}
