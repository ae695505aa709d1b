import type { MetadataFilters } from "../http/query.ts";
import type { Audience } from "../policies/access.ts";

/** The index lies below it in the bucket of pages. No slug has an underscore. */
export const searchPrefix = "_search/";

/** Days that a segment is kept which others have replaced: what was removed from the index goes with it. */
export const replacedSegmentDays = 1;

/** The parts of a drop that are searched, in the order of their columns, with the weight of a word in each. */
export const searchedParts = {
  title: 8,
  description: 3,
  metadata: 3,
  context: 1,
  files: 2,
  text: 1,
} as const;

export type SearchedPart = keyof typeof searchedParts;

/** The names of the parts, in the order of their columns. */
export const partNames = Object.keys(searchedParts) as SearchedPart[];

/** The texts of a drop, by part. A part that it does not have is empty. */
export type SearchedTexts = Readonly<Record<SearchedPart, string>>;

/** The texts of a drop as they are indexed. */
export interface IndexedTexts extends SearchedTexts {
  /** Ids of the files whose names are the lines of `files`. */
  readonly fileIds: readonly string[];
}

/** A drop's texts and their terms, within the bounds of `indexed-terms.ts`. */
export interface BoundedTexts {
  readonly texts: IndexedTexts;
  readonly terms: Readonly<Record<SearchedPart, readonly string[]>>;
  /** The number of terms. */
  readonly length: number;
  /** The different terms. */
  readonly vocabulary: Iterable<string>;
}

/** The texts of a locked page, without its title. */
export const noTexts: IndexedTexts = {
  title: "",
  description: "",
  metadata: "",
  context: "",
  files: "",
  fileIds: [],
  text: "",
};

/** A drop's place in the index. It is a hint: who may read the drop is looked up when it is found. */
export interface IndexedPlace {
  readonly ownerId: string;
  readonly slug: string;
}

/** Index fields of a drop, without its texts. */
export interface DocumentHead extends IndexedPlace {
  /** The drop's revision, which tells whether its row has changed since. */
  readonly revision: number;
  readonly version: number;
  /** The latest version's page. */
  readonly pageKey: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Whom else than its owner it is found by. */
  readonly audiences: readonly Audience[];
  /** A locked drop is found by its owner alone, and by its title. */
  readonly isLocked: boolean;
  /** Pairs of key and value, by which a search is narrowed. */
  readonly metadata: MetadataFilters;
  /** The normalized words of title and description, for the library's list, which finds parts of words as well. */
  readonly titleWords: string;
}

/** A drop as it is indexed. */
export interface SearchDocument extends DocumentHead {
  readonly texts: IndexedTexts;
  /** The same texts, split into terms. @default - the segment splits them */
  readonly bounded?: BoundedTexts;
}

/** Entry of a drop in the index: its document, or the mark that it was removed. */
export type IndexEntry = SearchDocument | RemovedDocument;

/** A drop that is gone. Its entry hides what older segments have of it. */
export interface RemovedDocument extends IndexedPlace {
  readonly isRemoved: true;
}

export function isRemoved(entry: DocumentHead | RemovedDocument): entry is RemovedDocument {
  return "isRemoved" in entry;
}

/** The metric of the function `index-drops` that the alarm `search-late` watches: seconds from a change to an attempt to index it. */
export const indexAgeMetric = { namespace: "Dropleaf", metricName: "SearchIndexAge" } as const;
