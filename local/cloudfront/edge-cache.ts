import type { HeaderFields } from "../http-message.ts";
import { type CacheFetch, createCacheFetches } from "./cache-fetches.ts";
import type { CachedAddress, CacheKey } from "./cache-key.ts";

/** A response in the cache. */
export interface CacheEntry extends CachedAddress {
  readonly statusCode: number;
  readonly headers: HeaderFields;
  readonly body: Buffer;
  readonly answeredBy: string | undefined;
  readonly storedAtMs: number;
  readonly freshUntilMs: number;
}

/** Answers by cache key, the least recently used leaving first when memory is short. */
export interface EdgeCache {
  get(key: string): CacheEntry | undefined;
  /** Begins a fetch from the origin; when `isJoinable`, others may wait for what it brings. */
  beginFetch(key: CacheKey, isJoinable: boolean): CacheFetch<CacheEntry>;
  /** The fetch of the same key, to wait for its response. */
  joinableFetch(key: string): Pick<CacheFetch<CacheEntry>, "shared"> | undefined;
  /**
   * Removes every entry whose path is one of `paths`, where a trailing `*` stands for any ending. Where a function had
   * changed the path, the viewer's must be one of them too: CloudFront asks for both, and leaves open what one would do.
   * What is being fetched now is not kept when it arrives: it may be older.
   */
  invalidate(paths: readonly string[]): void;
}

/** An object larger than this goes through without being kept. */
export const cachedBodyBytesMax = 32 * 1024 * 1024;
const totalBytesMax = 256 * 1024 * 1024;
/** What an entry takes besides its body, roughly. */
const entryBytes = 2048;

/** A cache bounded by memory. */
export function createEdgeCache(): EdgeCache {
  const entries = new Map<string, CacheEntry>();
  let totalBytes = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    totalBytes -= entry.body.length + entryBytes;
  }

  function set(key: string, entry: CacheEntry): void {
    remove(key);
    entries.set(key, entry);
    totalBytes += entry.body.length + entryBytes;
    for (const oldest of entries.keys()) {
      if (totalBytes <= totalBytesMax) break;
      remove(oldest);
    }
  }

  const fetches = createCacheFetches(set);

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // A Map keeps insertion order: what was just used moves to the end.
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    beginFetch: fetches.begin,
    joinableFetch: fetches.joinable,
    invalidate(paths) {
      const isNamed = (pathAndQuery: string) => paths.some((path) => isInvalidatedBy(path, pathAndQuery));
      const isInvalidated = ({ pathAndQuery, viewerPathAndQuery }: CachedAddress) =>
        isNamed(pathAndQuery) && isNamed(viewerPathAndQuery);
      for (const [key, entry] of entries) if (isInvalidated(entry)) remove(key);
      fetches.outdate(isInvalidated);
    },
  };
}

/**
 * A path without a query string covers the object with a query string only when it ends in `*`; developer guide, "What
 * you need to know when invalidating files".
 */
function isInvalidatedBy(path: string, pathAndQuery: string): boolean {
  const pattern = path.startsWith("/") ? path : `/${path}`;
  return pattern.endsWith("*") ? pathAndQuery.startsWith(pattern.slice(0, -1)) : pathAndQuery === pattern;
}
