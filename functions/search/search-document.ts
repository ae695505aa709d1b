import type { MetadataFilters } from "../http/query.ts";
import type { Audience } from "../policies/access.ts";

/** Prefix of the index in the bucket of pages. No slug has an underscore. */
export const searchPrefix = "_search/";

/** Days that a replaced segment is stored. Removed texts are deleted with it. */
export const replacedSegmentDays = 1;

/** The searched parts of a drop, in the order of their columns, with the weight of a word in each. */
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

/** The texts of a drop, by part. A missing part is empty. */
export type SearchedTexts = Readonly<Record<SearchedPart, string>>;

/** The indexed texts of a drop. */
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

/** A drop's place in the index. It is a hint: a search checks who may read the drop. */
export interface IndexedPlace {
  readonly ownerId: string;
  readonly slug: string;
}

/** Index fields of a drop, without its texts. */
export interface DocumentHead extends IndexedPlace {
  /** The drop's revision, which changes with its row. */
  readonly revision: number;
  readonly version: number;
  /** The latest version's page. */
  readonly pageKey: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Audiences that find the drop, besides its owner. */
  readonly audiences: readonly Audience[];
  /** A locked drop is found only by its owner, and only by its title. */
  readonly isLocked: boolean;
  /** Pairs of key and value, by which a search can be filtered. */
  readonly metadata: MetadataFilters;
  /** The normalized words of title and description, for the library's list, which finds parts of words as well. */
  readonly titleWords: string;
}

/** An indexed drop. */
export interface SearchDocument extends DocumentHead {
  readonly texts: IndexedTexts;
  /** The same texts, split into terms. @default - the segment splits them */
  readonly bounded?: BoundedTexts;
}

/** Entry of a drop in the index: its document, or the mark that it was removed. */
export type IndexEntry = SearchDocument | RemovedDocument;

/** A deleted drop. Its entry hides those of older segments. */
export interface RemovedDocument extends IndexedPlace {
  readonly isRemoved: true;
}

export function isRemoved(entry: DocumentHead | RemovedDocument): entry is RemovedDocument {
  return "isRemoved" in entry;
}

/** The metric of the function `index-drops` that the alarm `search-late` watches: seconds from a change to an attempt to index it. */
export const indexAgeMetric = { namespace: "Dropleaf", metricName: "SearchIndexAge" } as const;
