import type { ComponentChildren } from "preact";
import { ListLinks } from "../html/signed-in-layout.tsx";
import type { SearchFault } from "./search-query.ts";
import type { Snippet } from "./snippet.ts";

const searchText = {
  submit: "Search",
  hint: 'Finds pages that contain all your words. Type "a phrase" in quotation marks, -word to exclude a word, or begin* to find longer words.',
  faults: {
    "open-quotation-mark": "Close the quotation mark, or remove it.",
    "no-words": "Type a word with letters or digits.",
    "exclusions-alone": "Add a word without a hyphen before it. A hyphen excludes a word.",
    operator:
      "Leave out OR, AND and NOT. A search finds pages that contain all your words, and -word excludes a word.",
    qualifier: "Put a word with a colon, such as tag:name, in quotation marks, or leave it out.",
    "too-many-words": "Use fewer words. The limit is 32 words, or 32 characters of a script without spaces.",
  } satisfies Record<SearchFault, string>,
  pages: { label: "Results", previous: "Previous results", next: "More results" },
} as const;

const [hintId, problemId] = ["search-hint", "search-problem"];

interface SearchBoxProps {
  /** Path of the page that shows the results. */
  readonly path: string;
  readonly label: string;
  /** The query whose results are shown. @default - no query */
  readonly query: string | undefined;
  /** Reason why the query is invalid. @default - the query is valid */
  readonly fault?: SearchFault | undefined;
  /** Explanation of the query syntax. @default - the syntax of a search for pages */
  readonly hint?: string | undefined;
  /** Hidden fields, and elements below the search box. @default - nothing */
  readonly children?: ComponentChildren;
}

/** Search box of a page. The box works without scripts. */
export function SearchBox({ path, label, query = "", fault, hint, children }: SearchBoxProps) {
  return (
    <search aria-label={label}>
      <form class="search" method="get" action={path}>
        <label for="q">{label}</label>
        {fault !== undefined && (
          <p class="search-problem" id={problemId} role="alert">
            {searchText.faults[fault]}
          </p>
        )}
        <input
          class="field"
          id="q"
          type="search"
          name="q"
          value={query}
          maxLength={200}
          autocapitalize="none"
          autofocus={fault !== undefined}
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={fault === undefined ? hintId : `${problemId} ${hintId}`}
          dir="auto"
        />
        <button class="button" type="submit">
          {searchText.submit}
        </button>
        <p class="quiet search-hint" id={hintId}>
          {hint ?? searchText.hint}
        </p>
        {children}
      </form>
    </search>
  );
}

/** Snippet of a result with highlighted matches. */
export function MarkedSnippet({ snippet }: { readonly snippet: Snippet }) {
  const characters = [...snippet.text];
  const piece = (start: number, end?: number) => characters.slice(start, end).join("");
  if (characters.length === 0) return null;
  const ends = [0, ...snippet.marks.map(([, end]) => end)];
  return (
    <p class="snippet" dir="auto">
      {snippet.marks.map(([start, end], index) => (
        <>
          {piece(ends[index] ?? 0, start)}
          <mark>{piece(start, end)}</mark>
        </>
      ))}
      {piece(ends.at(-1) ?? 0)}
    </p>
  );
}

interface ResultPagesProps {
  /** Number of the shown page of results, from 1. */
  readonly number: number;
  readonly hasMore: boolean;
  readonly hrefFor: (number: number) => string;
}

/** Links to the previous and next page of results. */
export function ResultPages({ number, hasMore, hrefFor }: ResultPagesProps) {
  const { label, previous, next } = searchText.pages;
  return (
    <ListLinks
      label={label}
      previous={number > 1 && { href: hrefFor(number - 1), label: previous }}
      next={hasMore && { href: hrefFor(number + 1), label: next }}
    />
  );
}
