import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { untrustedTexts } from "../core/text.ts";
import { ok } from "../http/response.ts";
import { dropUrl, type Site } from "../http/site.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { findCallerReader } from "../people/teams.ts";
import { type FoundDrop, findDrops } from "./find-drops.ts";
import { searchDropsRoute } from "./rows.ts";
import type { SearchResponse, SearchResultResponse } from "./schemas.ts";

/** GET /api/search: lists matching drops that the caller may read, best first. */
export const searchDrops = tokenOperation(searchDropsRoute, async ({ caller, query, site, nowMs }) => {
  const { q, owner, since, metadata: tags, page, pageSize } = query;
  if (page * pageSize > limits.searchResultsMax) throw pastTheEnd(page, pageSize);
  const reader = await findCallerReader(caller);
  if (reader === undefined) throw new ApiError("unauthorized");
  const request = { q, owner: owner?.toLowerCase(), tags, sinceMs: since, page, pageSize };
  const { results, hasMore } = await findDrops(reader, request, nowMs);
  return ok({
    results: results.map((one) => presentResult(site, one)),
    next_page: hasMore ? page + 1 : null,
    untrusted: untrustedTexts("Titles and snippets are their authors' words"),
  } satisfies SearchResponse);
});

function pastTheEnd(page: number, pageSize: number): ApiError {
  const pageMax = Math.floor(limits.searchResultsMax / pageSize);
  return new ApiError("invalid_arg", {
    message: `page ${page} with ${pageSize} results each goes beyond the limit of ${limits.searchResultsMax} results for one search. The last page is ${pageMax}; narrow the search with more words, owner, since or metadata.<key>.`,
    details: { parameter: "page", page_max: pageMax },
  });
}

function presentResult(
  site: Site,
  { drop, owner, isOwn, matched, snippet }: FoundDrop,
): SearchResultResponse {
  return {
    slug: drop.slug,
    url: dropUrl(site, drop.namespace, drop.slug),
    title: drop.title,
    owner,
    own: isOwn,
    snippet: { text: snippet.text, marks: snippet.marks.map(([start, end]) => [start, end]) },
    matched: [...matched],
    version: drop.latest.version,
    updated_at: drop.updatedAtMs,
  };
}
