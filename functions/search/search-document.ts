import type { MetadataFilters } from "../http/query.ts";
import type { Audience } from "../policies/access.ts";

/** Key prefix of the index in the pages bucket. Slugs have no underscore, so no page's key begins with this prefix. */
export const searchPrefix = "_search/";

/** Number of days that a replaced segment is stored. Texts that were removed from the index are deleted together with the segment. */
export const replacedSegmentDays = 1;

/** Searched parts of a drop, in the order of the FTS5 columns, with the weight of a word in each part. */
export const searchedParts = {
  title: 8,
  description: 3,
  metadata: 3,
  context: 1,
  files: 2,
  text: 1,
} as const;

export type SearchedPart = keyof typeof searchedParts;

/** Names of the parts, in the order of the FTS5 columns. */
export const partNames = Object.keys(searchedParts) as SearchedPart[];

/** Texts of a drop, by part. The text of a missing part is an empty string. */
export type SearchedTexts = Readonly<Record<SearchedPart, string>>;

/** The indexed texts of a drop. */
export interface IndexedTexts extends SearchedTexts {
  /** Ids of the files whose names are in `files`, in the same order. */
  readonly fileIds: readonly string[];
}

/** Texts of a drop and their terms, within the limits of `indexed-terms.ts`. */
export interface BoundedTexts {
  readonly texts: IndexedTexts;
  readonly terms: Readonly<Record<SearchedPart, readonly string[]>>;
  /** Number of terms in all parts. */
  readonly length: number;
  /** Distinct terms of all parts. */
  readonly vocabulary: Iterable<string>;
}

/** Empty texts of a locked page, or of a page that is not indexed. */
export const noTexts: IndexedTexts = {
  title: "",
  description: "",
  metadata: "",
  context: "",
  files: "",
  fileIds: [],
  text: "",
};

/** Owner and slug of a drop, as stored in the index or the queue. The drop may have been transferred or deleted since. */
export interface IndexedPlace {
  readonly ownerId: string;
  readonly slug: string;
}

/** Index fields of a drop, without its texts. */
export interface DocumentHead extends IndexedPlace {
  /** Revision of the drop's row, which increases with each change. */
  readonly revision: number;
  readonly version: number;
  /** Object key of the latest version's page. */
  readonly pageKey: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Audiences that can find the drop, besides its owner. */
  readonly audiences: readonly Audience[];
  /** True if only the owner can find the drop, and only by its title. */
  readonly isLocked: boolean;
  /** Metadata pairs by which a search can be filtered. */
  readonly metadata: MetadataFilters;
  /** Normalized words of title and description. The library's search also matches parts of these words. */
  readonly titleWords: string;
}

/** An indexed drop. */
export interface SearchDocument extends DocumentHead {
  readonly texts: IndexedTexts;
  /** Truncated texts, split into terms. @default - the texts are split when the segment is written */
  readonly bounded?: BoundedTexts;
}

/** Entry of a drop in the index: its document, or a tombstone. */
export type IndexEntry = SearchDocument | RemovedDocument;

/** Tombstone of a removed drop, which hides the drop's entries in older segments. */
export interface RemovedDocument extends IndexedPlace {
  readonly isRemoved: true;
}

export function isRemoved(entry: DocumentHead | RemovedDocument): entry is RemovedDocument {
  return "isRemoved" in entry;
}

/** Metric of the alarm `search-late`: seconds from a change to the attempt of `index-drops` to index it. */
export const indexAgeMetric = { namespace: "Dropleaf", metricName: "SearchIndexAge" } as const;
