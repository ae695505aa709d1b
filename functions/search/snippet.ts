import { partNames, type SearchedPart, type SearchedTexts } from "./search-document.ts";
import type { SearchTerm } from "./search-query.ts";
import { isSoughtWithin } from "./segment.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** A piece of a text, with the places in it that match, in code points. */
export interface Snippet {
  readonly text: string;
  /** Starts and ends, end excluded, in their order. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

/** A place in a text, in UTF-16 code units. */
interface Place {
  readonly start: number;
  readonly end: number;
  /** The term that matches, by its index in the query. */
  readonly term: number;
}

/** Length of a snippet in UTF-16 code units, and how much of it stands before the first match. */
const snippetLength = 240;
const before = 60;

/** Length of a text that is searched for its best piece. */
const searchedLengthMax = 200_000;

/** Places that are compared for the best piece. */
const placesMax = 400;

/** The parts of a drop that match, and the piece of its text that shows the most terms. */
export function describeMatch(
  texts: SearchedTexts,
  terms: readonly SearchTerm[],
): { readonly matched: readonly SearchedPart[]; readonly snippet: Snippet } {
  const places = partNames.map((part) => [part, findPlaces(texts[part], terms)] as const);
  const matched = places.filter(([, found]) => found.length > 0).map(([part]) => part);
  // The title stands above the snippet anyway.
  const shown = ["text", "description", "context", "metadata", "files"] as const;
  const part = shown.find((one) => matched.includes(one)) ?? shown.find((one) => texts[one] !== "") ?? "text";
  return { matched, snippet: cutSnippet(texts[part], new Map(places).get(part) ?? []) };
}

/** Decides whether a text has one of the terms, other than the excluded ones. */
export function hasAnyTerm(text: string, terms: readonly SearchTerm[]): boolean {
  return findPlaces(text, terms).length > 0;
}

/** Decides whether texts have all terms, and none of the excluded ones. */
export function matchesTexts(texts: SearchedTexts, terms: readonly SearchTerm[]): boolean {
  return terms.every((term) => {
    const sought = { ...term, isExcluded: false, isExact: term.isExact || term.isExcluded };
    const isFound = partNames.some((part) => findPlaces(texts[part], [sought]).length > 0);
    return isFound !== term.isExcluded;
  });
}

/** The places where terms stand in a text, in its order. */
function findPlaces(text: string, terms: readonly SearchTerm[]): Place[] {
  const places: Place[] = [];
  const window: Token[] = [];
  const sought = terms.map((term, index) => ({ term, index, isPart: isFoundWithin(term) }));
  const longest = Math.max(...terms.map((term) => term.terms.length));
  for (const token of tokensOf(text.slice(0, searchedLengthMax))) {
    window.push(token);
    if (window.length > longest) window.shift();
    for (const { term, index, isPart } of sought) {
      if (term.isExcluded) continue;
      const first = window[window.length - term.terms.length];
      if (first !== undefined && isMatch(window, term, isPart))
        places.push({ start: first.start, end: token.end, term: index });
    }
    if (places.length >= placesMax) break;
  }
  return places;
}

/** Decides whether a term matches the last tokens. */
function isMatch(tokens: readonly Token[], { terms, isPrefix }: SearchTerm, isPart: boolean): boolean {
  return terms.every((sought, index) => {
    const { term } = tokens[tokens.length - terms.length + index] as Token;
    if (term === sought) return true;
    if (isPrefix && index === terms.length - 1) return term.startsWith(sought);
    return isPart && term.includes(sought);
  });
}

function isFoundWithin({ terms: [only, ...more], isExact }: SearchTerm): boolean {
  return more.length === 0 && !isExact && isSoughtWithin(only as string);
}

/** The piece with the most different terms; the beginning of a text that has none. */
function cutSnippet(text: string, places: readonly Place[]): Snippet {
  let [best, bestCount] = [0, 0];
  places.forEach(({ start }, index) => {
    const inside = places.slice(index).filter(({ end }) => end <= start + snippetLength - before);
    const count = new Set(inside.map(({ term }) => term)).size;
    if (count > bestCount) [best, bestCount] = [Math.max(0, start - before), count];
  });
  const from = wordStart(text, best);
  const to = wordEnd(text, Math.min(text.length, from + snippetLength));
  const piece = text.slice(from, to);
  const marks = places
    .filter(({ start, end }) => start >= from && end <= to)
    .map(({ start, end }) => [codePoints(piece, start - from), codePoints(piece, end - from)] as const);
  return { text: piece.replaceAll("\n", " "), marks: withoutOverlaps(marks) };
}

/** A cut between words where one is near, and never inside a character. */
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

function codePoints(text: string, end: number): number {
  return [...text.slice(0, end)].length;
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
