import { type HeaderFields, headerValue } from "../http-message.ts";

/** A response in the cache. */
export interface CacheEntry {
  /** Cache tags, as read by `cacheTagsOf`. */
  readonly tags: ReadonlySet<string>;
  readonly statusCode: number;
  readonly headers: HeaderFields;
  readonly body: Buffer;
  readonly servedBy: string | undefined;
  readonly storedAtMs: number;
  readonly freshUntilMs: number;
}

/** A running fetch from the origin. */
export interface CacheFetch {
  /** Stores the response in the cache, unless one of its tags was invalidated meanwhile. */
  keep(entry: CacheEntry): void;
  /** Ends the fetch. Must always be called, because other requests may wait for the fetch. */
  end(): void;
  /** Resolves at the end of the fetch with the stored entry, or with undefined if other requests may not share it. */
  readonly shared: Promise<CacheEntry | undefined>;
}

/** Cached responses by cache key. The least recently used entries are evicted when memory is short. */
export type EdgeCache = ReturnType<typeof createEdgeCache>;

/** Maximum size of a cached body, in bytes. Larger bodies are passed through. */
export const cachedBodyBytesMax = 32 * 1024 * 1024;
const totalBytesMax = 256 * 1024 * 1024;
/** Estimated size of an entry without its body, in bytes. */
const entryBytes = 2048;

/** Creates a cache with a limited total size. */
export function createEdgeCache() {
  const entries = new Map<string, CacheEntry>();
  let totalBytes = 0;
  /** Running fetches, each with the tags that were invalidated since it began. */
  const running = new Map<CacheFetch, Set<string>>();
  const joinable = new Map<string, CacheFetch>();

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

  return {
    get(key: string): CacheEntry | undefined {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // A Map iterates in insertion order, so a used entry is moved to the end.
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    /** Starts a fetch from the origin. With `isJoinable`, other requests may wait for its result. */
    beginFetch(key: string, isJoinable: boolean): CacheFetch {
      const outdatedTags = new Set<string>();
      const { promise: shared, resolve: share } = Promise.withResolvers<CacheEntry | undefined>();
      let kept: CacheEntry | undefined;
      const fetch: CacheFetch = {
        shared,
        keep(entry) {
          if (hasAny(entry.tags, outdatedTags)) return;
          set(key, entry);
          kept = entry;
        },
        end() {
          running.delete(fetch);
          if (joinable.get(key) === fetch) joinable.delete(key);
          const isOutdated = kept === undefined || hasAny(kept.tags, outdatedTags);
          share(isOutdated || isPersonal(kept) ? undefined : kept);
        },
      };
      running.set(fetch, outdatedTags);
      if (isJoinable) joinable.set(key, fetch);
      return fetch;
    },
    /** Returns the fetch in progress for a key. Returns undefined if there is no such fetch, or if other requests must not wait for it. */
    joinableFetch: (key: string): Pick<CacheFetch, "shared"> | undefined => joinable.get(key),
    /** Removes every entry with one of these tags. Running fetches with such a tag are not stored, because they may be outdated. */
    invalidate(tags: readonly string[]): void {
      const invalidated = new Set(tags.map((tag) => tag.toLowerCase()));
      for (const [key, entry] of entries) if (hasAny(entry.tags, invalidated)) remove(key);
      // The tags of running fetches are unknown until the fetches end.
      joinable.clear();
      for (const outdatedTags of running.values()) for (const tag of invalidated) outdatedTags.add(tag);
    },
  };
}

/** Returns true for a response that sets a cookie. The cache stores this response, but requests that wait for the fetch do not share it. */
function isPersonal(entry: CacheEntry | undefined): boolean {
  return entry !== undefined && headerValue(entry.headers, "set-cookie") !== undefined;
}

function hasAny(tags: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...tags].some((tag) => others.has(tag));
}
