import { type Manifest, readManifest } from "./index-files.ts";

/**
 * Number of drops up to which search is fast. With 50,000 drops of 5 KB text, a cold function fetches 534 MB and responds after 2.2 s. For
 * larger services, see docs/adr/0101-full-text-search.md.
 */
export const searchedDropsMax = 50_000;

/** Share of `searchedDropsMax` above which operators are warned. */
const warnedShare = 0.8;

/** Size of the search index. A changed drop is counted several times until its segments are merged. */
export interface IndexSize {
  readonly entries: number;
  readonly megabytes: number;
  /** True if search will soon be slow, and the service needs another search engine. */
  readonly isNearBound: boolean;
}

/** Reads the size of the search index from its manifest, with one request to S3. */
export async function readIndexSize(): Promise<IndexSize> {
  return sizeOf((await readManifest()).manifest);
}

/** Sums the sizes of the segments. */
export function sizeOf({ segments }: Pick<Manifest, "segments">): IndexSize {
  const entries = segments.reduce((sum, segment) => sum + segment.entries, 0);
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  return {
    entries,
    megabytes: Math.round(bytes / 1e6),
    isNearBound: entries >= searchedDropsMax * warnedShare,
  };
}
