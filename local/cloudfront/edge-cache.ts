import type { HeaderFields } from "../http-message.ts";

/** An answer in the cache. */
export interface CacheEntry {
  /** The path with the query string as in the request, for invalidation. */
  readonly pathAndQuery: string;
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
  set(key: string, entry: CacheEntry): void;
  delete(key: string): void;
  /** Removes every entry whose path is one of `paths`, where a trailing `*` stands for any ending. */
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

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // A Map keeps insertion order: what was just used moves to the end.
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    set(key, entry) {
      remove(key);
      entries.set(key, entry);
      totalBytes += entry.body.length + entryBytes;
      for (const oldest of entries.keys()) {
        if (totalBytes <= totalBytesMax) break;
        remove(oldest);
      }
    },
    delete: remove,
    invalidate(paths) {
      for (const [key, entry] of entries) {
        if (paths.some((path) => isInvalidatedBy(path, entry.pathAndQuery))) remove(key);
      }
    },
  };
}

/**
 * A path without a query string covers the object with every query string that is part of its cache key only when it
 * ends in `*`; developer guide, "What you need to know when invalidating files".
 */
function isInvalidatedBy(path: string, pathAndQuery: string): boolean {
  const pattern = path.startsWith("/") ? path : `/${path}`;
  return pattern.endsWith("*") ? pathAndQuery.startsWith(pattern.slice(0, -1)) : pathAndQuery === pattern;
}
