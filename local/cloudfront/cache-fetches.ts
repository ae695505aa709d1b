import { headerValue } from "../http-message.ts";
import type { CachedAddress, CacheKey } from "./cache-key.ts";
import type { CacheEntry } from "./edge-cache.ts";

/** A fetch from the origin, from its beginning to its end. */
export interface CacheFetch {
  /** Puts the response into the cache, unless its path was invalidated meanwhile. */
  keep(entry: CacheEntry): void;
  /** Must be called in any case: others may wait. */
  end(): void;
  /** At the end, what was kept; undefined when nothing was that may answer others. */
  readonly shared: Promise<CacheEntry | undefined>;
}

/** The fetches that have not ended. */
export interface CacheFetches {
  /** When `isJoinable`, others may wait for what the fetch brings. */
  begin(key: CacheKey, isJoinable: boolean): CacheFetch;
  joinable(key: string): Pick<CacheFetch, "shared"> | undefined;
  /** Lets nothing be kept or shared of the fetches whose path is invalidated. */
  outdate(isInvalidated: (address: CachedAddress) => boolean): void;
}

/** Keeps account of fetches; `store` puts a response into the cache. */
export function createCacheFetches(store: (key: string, entry: CacheEntry) => void): CacheFetches {
  const running = new Map<CacheFetch, { readonly key: CacheKey; isOutdated: boolean }>();
  const joinable = new Map<string, CacheFetch>();

  function leave(key: CacheKey, fetch: CacheFetch): void {
    if (joinable.get(key.text) === fetch) joinable.delete(key.text);
  }

  return {
    begin(key, isJoinable) {
      const state = { key, isOutdated: false };
      const { promise: shared, resolve: share } = Promise.withResolvers<CacheEntry | undefined>();
      let kept: CacheEntry | undefined;
      const fetch: CacheFetch = {
        shared,
        keep(entry) {
          if (state.isOutdated) return;
          store(key.text, entry);
          kept = entry;
        },
        end() {
          running.delete(fetch);
          leave(key, fetch);
          share(state.isOutdated || isPersonal(kept) ? undefined : kept);
        },
      };
      running.set(fetch, state);
      if (isJoinable) joinable.set(key.text, fetch);
      return fetch;
    },
    joinable: (key) => joinable.get(key),
    outdate(isInvalidated) {
      for (const [fetch, state] of running) {
        if (!isInvalidated(state.key)) continue;
        state.isOutdated = true;
        leave(state.key, fetch);
      }
    },
  };
}

/** A cookie is for the one who asked, even where the cache keeps it. */
function isPersonal(entry: CacheEntry | undefined): boolean {
  return entry !== undefined && headerValue(entry.headers, "set-cookie") !== undefined;
}
