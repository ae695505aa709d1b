import { type HeaderFields, headerValue } from "../http-message.ts";
import type { CachedAddress, CacheKey } from "./cache-key.ts";

/** A fetch from the origin, from its beginning to its end; an entry is what the cache keeps of its response. */
export interface CacheFetch<Entry> {
  /** Puts the response into the cache, unless its path was invalidated meanwhile. */
  keep(entry: Entry): void;
  /** Must be called in any case: others may wait. */
  end(): void;
  /** At the end, what was kept; undefined when nothing was that may answer others. */
  readonly shared: Promise<Entry | undefined>;
}

/** The fetches that have not ended. */
export interface CacheFetches<Entry> {
  /** When `isJoinable`, others may wait for what the fetch brings. */
  begin(key: CacheKey, isJoinable: boolean): CacheFetch<Entry>;
  joinable(key: string): Pick<CacheFetch<Entry>, "shared"> | undefined;
  /** Lets nothing be kept or shared of the fetches whose path is invalidated. */
  outdate(isInvalidated: (address: CachedAddress) => boolean): void;
}

interface WithHeaders {
  readonly headers: HeaderFields;
}

/** Keeps account of fetches; `store` puts a response into the cache. */
export function createCacheFetches<Entry extends WithHeaders>(
  store: (key: string, entry: Entry) => void,
): CacheFetches<Entry> {
  const running = new Map<CacheFetch<Entry>, { readonly key: CacheKey; isOutdated: boolean }>();
  const joinable = new Map<string, CacheFetch<Entry>>();

  function leave(key: CacheKey, fetch: CacheFetch<Entry>): void {
    if (joinable.get(key.text) === fetch) joinable.delete(key.text);
  }

  return {
    begin(key, isJoinable) {
      const state = { key, isOutdated: false };
      const { promise: shared, resolve: share } = Promise.withResolvers<Entry | undefined>();
      let kept: Entry | undefined;
      const fetch: CacheFetch<Entry> = {
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
function isPersonal(entry: WithHeaders | undefined): boolean {
  return entry !== undefined && headerValue(entry.headers, "set-cookie") !== undefined;
}
