import { type HeaderFields, headerValue } from "../http-message.ts";
import { hasAny } from "./cache-tags.ts";

/** A fetch from the origin, from its beginning to its end; an entry is what the cache keeps of its response. */
export interface CacheFetch<Entry> {
  /** Puts the response into the cache, unless one of its tags was invalidated meanwhile. */
  keep(entry: Entry): void;
  /** Must be called in any case: others may wait. */
  end(): void;
  /** At the end, what was kept; undefined when nothing was that may answer others. */
  readonly shared: Promise<Entry | undefined>;
}

/** The fetches that have not ended. */
export interface CacheFetches<Entry> {
  /** When `isJoinable`, others may wait for what the fetch brings. */
  begin(key: string, isJoinable: boolean): CacheFetch<Entry>;
  joinable(key: string): Pick<CacheFetch<Entry>, "shared"> | undefined;
  /** Lets nothing be kept or shared of the fetches whose responses come with one of these tags. */
  outdate(tags: ReadonlySet<string>): void;
}

interface Keepable {
  readonly headers: HeaderFields;
  readonly tags: ReadonlySet<string>;
}

/** Keeps account of fetches; `store` puts a response into the cache. */
export function createCacheFetches<Entry extends Keepable>(
  store: (key: string, entry: Entry) => void,
): CacheFetches<Entry> {
  const running = new Map<CacheFetch<Entry>, { readonly outdatedTags: Set<string> }>();
  const joinable = new Map<string, CacheFetch<Entry>>();

  return {
    begin(key, isJoinable) {
      const state = { outdatedTags: new Set<string>() };
      const { promise: shared, resolve: share } = Promise.withResolvers<Entry | undefined>();
      let kept: Entry | undefined;
      const fetch: CacheFetch<Entry> = {
        shared,
        keep(entry) {
          if (hasAny(entry.tags, state.outdatedTags)) return;
          store(key, entry);
          kept = entry;
        },
        end() {
          running.delete(fetch);
          if (joinable.get(key) === fetch) joinable.delete(key);
          const isOutdated = kept === undefined || hasAny(kept.tags, state.outdatedTags);
          share(isOutdated || isPersonal(kept) ? undefined : kept);
        },
      };
      running.set(fetch, state);
      if (isJoinable) joinable.set(key, fetch);
      return fetch;
    },
    joinable: (key) => joinable.get(key),
    outdate(tags) {
      // Their tags are not known before they end.
      joinable.clear();
      for (const { outdatedTags } of running.values()) for (const tag of tags) outdatedTags.add(tag);
    },
  };
}

/** A cookie is for the one who asked, even where the cache keeps it. */
function isPersonal(entry: Keepable | undefined): boolean {
  return entry !== undefined && headerValue(entry.headers, "set-cookie") !== undefined;
}
