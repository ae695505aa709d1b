import { normalizeName } from "../http/nearest-name.ts";
import { patterns } from "../http/schemas.ts";

const pageSizes = [
  "limit",
  "perpage",
  "pagesize",
  "size",
  "count",
  "take",
  "first",
  "maxresults",
  "pagelimit",
];
const offsets = ["offset", "skip", "start", "cursor", "after", "before", "pagenumber", "pageno", "pagetoken"];
const orders = ["sort", "orderby", "sortkey", "sortfield", "sortby"];
const directions = ["order", "direction", "dir", "sortorder", "sortdir", "sortdirection"];

/** Parameters for caches, logs and JSON formatting, which filter nothing. */
const neutral =
  /^(_|t|ts|cb|rnd|rand|nonce|timestamp|nocache|cachebust(er)?|pretty|format|lang|locale|utm_\w+)$/i;

/** Parameters that can be a word for what no drop has: a page that is sought by them is sought by its tags. */
const searches = [
  "q",
  "query",
  "search",
  "filter",
  "filters",
  "where",
  "tag",
  "tags",
  "title",
  "name",
  "slug",
  "id",
  "url",
];

/**
 * Refuses an unknown list parameter. Its caller would take an unfiltered list for a filtered one. Undefined for a
 * neutral parameter.
 */
export function explainListParameter(name: string, value: string): string | undefined {
  if (neutral.test(name)) return undefined;
  const word = normalizeName(name);
  if (pageSizes.includes(word)) return "How many drops a page has is said by pageSize, from 1 to 200.";
  if (offsets.includes(word)) return "The next drops are on the next page: page=2.";
  if (orders.includes(word)) return "The order is said by sortBy: created_at, updated_at or view_count.";
  if (directions.includes(word)) return "The direction is said by sortOrder: desc or asc.";
  const key = keyIn(name, value);
  if (key !== undefined) return `A filter is written metadata.${key}=<value>.`;
  return "Drops are found by their tags alone: metadata.<key>=<value>, as often as there are tags.";
}

/** Query parameters that describe a page in the body: `html-body.ts`. Other code refuses them beside a JSON body. */
const ofPage = ["title", "description", "context", "note", "visibility", "readers"];

/** The same of an upsert, whose parameters say which drop is meant. */
export function explainUpsertParameter(name: string, value: string): string | undefined {
  if (ofPage.includes(name) || neutral.test(name)) return undefined;
  if (["slug", "id", "url"].includes(normalizeName(name)))
    return "By its slug, a drop is updated with PUT /api/drops/{slug}.";
  const key = keyIn(name, value) ?? "<key>";
  return `Which drop is meant is said by its tags: metadata.${key}=<value>.`;
}

/** The tag that a parameter means, as far as it can be seen. */
function keyIn(name: string, value: string): string | undefined {
  const [, inName] = /^meta(?:data|\.|_|-|:|\[)[.:_[-]*(.*?)\]?$/i.exec(name) ?? [];
  const inValue = /^(metadata|meta|filters?|tags?)$/i.test(name)
    ? /^\W*(\w[\w.-]*)["'\s]*[:=]/.exec(value)?.[1]
    : undefined;
  const key = (inName || inValue || (searches.includes(normalizeName(name)) ? "" : name)).toLowerCase();
  return patterns.metadataKey.test(key) && key !== "metadata" ? key : undefined;
}
