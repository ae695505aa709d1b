import { invalidArg, page, refused, type WrongCall, warned } from "./wrong-call.ts";

function filter(what: string, query: string, hint: RegExp): WrongCall {
  return refused(what, `GET /api/drops?${query}`, {}, invalidArg, hint);
}

const rightFilter = /metadata\.project=/;

/** Filters and pages by another name, which would give everything, and the caller would take the first. */
export const wrongLists: readonly WrongCall[] = [
  filter("brackets in a filter", "metadata[project]=a", rightFilter),
  filter("encoded brackets", "metadata%5Bproject%5D=a", rightFilter),
  filter("a colon in a filter", "metadata:project=a", rightFilter),
  filter("an underscore in a filter", "metadata_project=a", rightFilter),
  filter("metadata as JSON", "metadata=%7B%22project%22%3A%22a%22%7D", rightFilter),
  filter("a key alone", "project=a", rightFilter),
  filter("a key that a drop has", "walk=through", /metadata\.walk=/),
  filter("meta for metadata", "meta.project=a", rightFilter),
  filter("capitals in a filter", "Metadata.project=a", rightFilter),
  filter("a key in capitals", "metadata.Project=a", /"metadata\.project"/),
  filter("tag", "tag=a", /metadata\.<key>/),
  filter("a search", "q=report", /\/api\/library\?q=|metadata\.<key>/),
  filter("a search by its long name", "search=report", /metadata\.<key>/),
  filter("a title", "title=Report", /metadata\.<key>/),
  filter("limit", "limit=1", /pageSize/),
  filter("per_page", "per_page=1", /pageSize/),
  filter("page_size", "page_size=1", /pageSize/),
  filter("offset", "offset=20", /page\b/),
  filter("sort", "sort=updated_at", /sortBy/),
  filter("sort_by", "sort_by=updated_at", /sortBy/),
  filter("order", "order=asc", /sortOrder/),
  filter("a page that is none", "page=0", /from 1/),
  filter("a page that is too long", "pageSize=1000", /200/),
  filter("an order in capitals", "sortOrder=DESC", /"desc"|desc or asc/),
  warned("a parameter against caches", "GET /api/drops?_=1", {}, 200, /"_"/),
  refused("an upsert of everything", "PUT /api/drops", { json: page }, invalidArg, /metadata\.<key>/),
  refused("an upsert by a key alone", "PUT /api/drops?project=a", { json: page }, invalidArg, rightFilter),
  refused(
    "an upsert by brackets",
    "PUT /api/drops?metadata[project]=a",
    { json: page },
    invalidArg,
    rightFilter,
  ),
  refused(
    "an upsert by a slug",
    "PUT /api/drops?slug={slug}",
    { json: page },
    invalidArg,
    /PUT \/api\/drops\/\{slug\}/,
  ),
  refused(
    "an upsert of two minds",
    "PUT /api/drops?metadata.project=a",
    { json: { ...page, metadata: { project: "b" } } },
    invalidArg,
    /"a".*"b"/,
  ),
  refused("a library by another word", "GET /api/library?query=a", {}, invalidArg, /"query".*\bq\b/),
];
