import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { freeText, type MetadataFilters, metadataPrefix } from "../http/query.ts";
import { patterns, schema } from "../http/schemas.ts";
import { pageSearch } from "../search/schemas.ts";

/** Filters for the library's drops. */
export interface LibraryFilters {
  /** Words to find in titles and descriptions, or a search query on the library page. @default - all drops */
  readonly search: string | undefined;
  /** Namespace of an owner. @default - all owners */
  readonly owner: string | undefined;
  readonly tags: MetadataFilters;
}

const ownerCharactersMax = 40;

/** Query parameters of `GET /library`. Truncates long texts and ignores invalid parameters, so that people see no API error. */
export const libraryPageQuery = /* @__PURE__ */ schema(() => {
  const text = z.pipe(
    z.optional(z.catch(freeText(), "")),
    z.transform((sent = "") => sent.trim() || undefined),
  );
  return z.pipe(
    z.object({ ...pageSearch, owner: text, metadata: z.optional(z.custom<MetadataFilters>()), cursor: text }),
    z.transform(({ q, owner, metadata = [], cursor, page }) => ({
      filters: {
        search: q,
        owner: owner?.toLowerCase().slice(0, ownerCharactersMax),
        tags: metadata
          .filter(([key], index) => metadata.findIndex(([first]) => first === key) === index)
          .filter(([key]) => patterns.metadataKey.test(key))
          .slice(0, limits.metadataKeysMax),
      } satisfies LibraryFilters,
      cursor,
      page,
    })),
  );
});

/**
 * Builds the path of the library page with the given filters. The page starts at the newest drop, at a cursor, or at a page of search
 * results.
 */
export function libraryPath(
  { search, owner, tags }: LibraryFilters,
  { cursor, page = 1 }: { readonly cursor?: string; readonly page?: number } = {},
): string {
  const query = new URLSearchParams({
    ...(search === undefined ? {} : { q: search }),
    ...(owner === undefined ? {} : { owner }),
  });
  for (const [key, value] of tags) query.append(metadataPrefix + key, value);
  if (cursor !== undefined) query.set("cursor", cursor);
  if (page > 1) query.set("page", String(page));
  return query.size > 0 ? `/library?${query}` : "/library";
}
