import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { freeText, integer, metadataFilters, optionalText, requiredText, time } from "../http/query.ts";
import { schema, slug, unixMilliseconds, versionNumber } from "../http/schemas.ts";

/** Query of `GET /api/search`. */
export const searchDropsQuery = /* @__PURE__ */ schema(() =>
  z.object({
    q: requiredText("invalid_arg", ": words to search for, such as quarterly numbers"),
    owner: optionalText({
      what: "the name of an owner as in their address, letters, digits and hyphens,",
      maxLength: 40,
      pattern: "^[A-Za-z0-9-]*$",
    }),
    since: z.optional(time()),
    metadata: metadataFilters,
    page: z._default(integer({ minimum: 1, maximum: limits.searchResultsMax }), 1),
    pageSize: z._default(integer({ minimum: 1, maximum: limits.searchPageSizeMax }), limits.pageSizeDefault),
  }),
);

/**
 * Query parameters `q` and `page` of a search on a web page. Invalid values are corrected, not refused. A long query is truncated. An
 * invalid page number shows the first page. A number that is too high shows the last page.
 */
export const pageSearch = /* @__PURE__ */ schema(() => ({
  q: z.pipe(
    z.optional(z.catch(freeText(), "")),
    z.transform((sent = "") => {
      const cut = [...sent.trim()].slice(0, limits.titleCodePointsMax).join("");
      return cut === "" ? undefined : cut.toWellFormed();
    }),
  ),
  page: z.pipe(
    z._default(z.catch(integer({ minimum: 1 }), 1), 1),
    z.transform((number) => Math.min(number, limits.searchResultsMax / limits.pageSizeDefault)),
  ),
}));

const searchResult = /* @__PURE__ */ schema(() =>
  z.object({
    slug,
    url: z.url(),
    title: z.string(),
    owner: z.string(),
    own: z.boolean(),
    snippet: z.object({ text: z.string(), marks: z.array(z.tuple([z.number(), z.number()])) }),
    matched: z.array(z.enum(["title", "description", "metadata", "context", "files", "text"])),
    version: versionNumber,
    updated_at: unixMilliseconds,
  }),
);

/** Response of `GET /api/search`; see docs/adr/0101-full-text-search.md. */
export const searchResponse = /* @__PURE__ */ schema(() =>
  z.object({ results: z.array(searchResult), next_page: z.nullable(z.int()), untrusted: z.string() }),
);

export type SearchResultResponse = z.output<typeof searchResult>;
export type SearchResponse = z.output<typeof searchResponse>;
