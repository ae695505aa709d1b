import type { HeaderFields } from "../http-message.ts";
import { type CacheFetch, createCacheFetches } from "./cache-fetches.ts";
import { hasAny, normalizedTag } from "./cache-tags.ts";

/** A response in the cache. */
export interface CacheEntry {
  /** As `cacheTagsOf` reads them. */
  readonly tags: ReadonlySet<string>;
  readonly statusCode: number;
  readonly headers: HeaderFields;
  readonly body: Buffer;
  readonly servedBy: string | undefined;
  readonly storedAtMs: number;
  readonly freshUntilMs: number;
}

/** Answers by cache key, the least recently used leaving first when memory is short. */
export interface EdgeCache {
  get(key: string): CacheEntry | undefined;
  /** Begins a fetch from the origin; when `isJoinable`, others may wait for what it brings. */
  beginFetch(key: string, isJoinable: boolean): CacheFetch<CacheEntry>;
  /** The fetch of the same key, to wait for its response. */
  joinableFetch(key: string): Pick<CacheFetch<CacheEntry>, "shared"> | undefined;
  /** Removes every entry with one of these tags. Running fetches with one of the tags are not stored, since they may be older. */
  invalidate(tags: readonly string[]): void;
}

/** An object larger than this goes through without being kept. */
export const cachedBodyBytesMax = 32 * 1024 * 1024;
const totalBytesMax = 256 * 1024 * 1024;
/** Estimated bytes of an entry besides its body. */
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
    invalidate(tags) {
      const invalidated = new Set(tags.map(normalizedTag));
      for (const [key, entry] of entries) if (hasAny(entry.tags, invalidated)) remove(key);
      fetches.outdate(invalidated);
    },
  };
}
