import { limits } from "../core/limits.ts";
import { type Drop, isLocked } from "../drops/drop.ts";
import { readDrop } from "../drops/items.ts";
import type { MetadataFilters } from "../http/query.ts";
import type { Reader } from "../people/find-reader.ts";
import { canFind, isServed, type Searcher, toListed, toSearcher } from "../policies/access.ts";
import { keys } from "../table/keys.ts";
import { rateLimiter } from "../table/rate-limits.ts";
import { searchRule } from "../table/rate-rules.ts";
import { findItems, getItem, type Item } from "../table/table.ts";
import { presentNames } from "./file-names.ts";
import { type IndexedDrop, matchesTerms, scoreOf } from "./present-match.ts";
import { rankDrops } from "./rank.ts";
import { changeableTexts } from "./read-document.ts";
import { type IndexedTexts, noTexts, type SearchedPart } from "./search-document.ts";
import { parseSearchQuery, type SearchTerm } from "./search-query.ts";
import { type LiveSegment, latestSnapshot, newestEntry } from "./snapshot.ts";
import { describeMatches, type MatchDescription, type Snippet } from "./snippet.ts";
import { readWaitingDrops } from "./waiting-drops.ts";

/** A search request: the query, the filters, and the requested page of results. */
interface SearchRequest {
  readonly q: string;
  /** Namespace of the owner whose drops are searched. @default - drops of all owners */
  readonly owner?: string | undefined;
  /** Account of the owner whose drops are searched, instead of the namespace. @default - drops of all owners */
  readonly ownerId?: string | undefined;
  readonly tags: MetadataFilters;
  /** Earliest time of a drop's last change, in Unix milliseconds. @default - any time */
  readonly sinceMs?: number | undefined;
  /** Number of the requested page of results, from 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** A matching drop, as its current row describes it. */
export interface FoundDrop {
  readonly drop: Drop;
  /** Namespace of the owner. */
  readonly owner: string;
  readonly isOwn: boolean;
  readonly matched: readonly SearchedPart[];
  readonly snippet: Snippet;
}

/** Results of a search, best first. */
interface SearchResults {
  readonly results: readonly FoundDrop[];
  /** True if there is a next page. All pages together have at most `searchResultsMax` results. */
  readonly hasMore: boolean;
}

/**
 * Maximum number of drops that are looked up concurrently, and in total. A lookup is wasted only if the drop was restricted in the last
 * seconds.
 */
const lookedUpAtOnce = 25;
const lookedUpMax = 2 * limits.searchResultsMax;

/**
 * Searches the drops that a reader may read. The index yields candidates. Each candidate's row is read before it becomes a result, and its
 * current fields must match. Drops in the indexing queue are found by their rows.
 *
 * @throws ApiError `invalid_arg` for an invalid query, `rate_limited` at the reader's search limit
 */
export async function findDrops(
  reader: Reader,
  request: SearchRequest,
  nowMs: number,
): Promise<SearchResults> {
  const terms = parseSearchQuery(request.q);
  const [ownerId] = await Promise.all([
    request.owner === undefined ? request.ownerId : findOwnerId(request.owner),
    countSearch(reader, nowMs),
  ]);
  if (request.owner !== undefined && ownerId === undefined) return { results: [], hasMore: false };
  const searcher = toSearcher(reader);
  // Reads the queue before the index, because drops that have left the queue are in the index.
  const waiting = await readWaitingDrops(searcher.userId, ownerId);
  const { segments } = await latestSnapshot();
  const scope = { searcher, ownerId, sinceMs: request.sinceMs, tags: request.tags };
  const { candidates, rarities } = rankDrops(segments, terms, scope, nowMs);
  const search: Search = { searcher, request, terms, segments, nowMs };
  const isWaiting = new Set(waiting.map(({ drop }) => drop.slug));
  const scores = new Map(candidates.map(({ row, score }) => [row.slug, score]));
  const fresh = waiting
    .filter(({ drop }) => drop.updatedAtMs >= (request.sinceMs ?? 0))
    .flatMap(({ drop, item, owner }) => {
      const entry = newestEntry(segments, drop.slug);
      const indexed = entry?.row.isRemoved ? undefined : entry;
      const present = scoreOf(drop, indexed, terms, rarities, nowMs);
      const score = Math.max(present, scores.get(drop.slug) ?? 0);
      return [
        { ownerId: drop.ownerId, slug: drop.slug, indexed, isMatch: false, score, rows: { item, owner } },
      ];
    });
  const sought: Sought[] = [
    ...fresh,
    ...candidates
      .slice(0, lookedUpMax)
      .filter(({ row }) => !isWaiting.has(row.slug))
      .map(({ segment, row, score }) => {
        const { ownerId: owner, slug } = row;
        return { ownerId: owner, slug, indexed: { segment, row }, isMatch: true, score, rows: undefined };
      }),
  ].sort((one, other) => other.score - one.score);
  const [from, to] = [(request.page - 1) * request.pageSize, request.page * request.pageSize];
  const found: Found[] = [];
  for (let start = 0; start < sought.length && found.length <= to; start += lookedUpAtOnce)
    found.push(...(await lookUp(sought.slice(start, start + lookedUpAtOnce), search)));
  return {
    results: describe(found.slice(from, to), terms),
    hasMore: found.length > to && to + request.pageSize <= limits.searchResultsMax,
  };
}

/** Counts a search against the reader's limit. @throws ApiError `rate_limited` above `searchesPerMinutePerReader` */
export async function countSearch({ identity }: Reader, nowMs: number): Promise<void> {
  await rateLimiter.spend(searchRule, `${identity.provider}#${identity.id}`, nowMs);
}

interface Search {
  readonly searcher: Searcher;
  readonly request: SearchRequest;
  readonly terms: readonly SearchTerm[];
  readonly segments: readonly LiveSegment[];
  readonly nowMs: number;
}

/** A candidate, whose row is read before it becomes a result. */
interface Sought {
  readonly ownerId: string;
  readonly slug: string;
  /** Index entry of the drop. @default - the drop is not indexed yet */
  readonly indexed: IndexedDrop | undefined;
  /** True if the indexed texts match. */
  readonly isMatch: boolean;
  readonly score: number;
  /** Rows of the drop and its owner. @default - the rows are not read yet */
  readonly rows: { readonly item: Item; readonly owner: Item | undefined } | undefined;
}

/** A drop that the reader may read. */
interface Readable extends Pick<Sought, "indexed"> {
  readonly drop: Drop;
  /** Namespace of the owner. */
  readonly owner: string;
  readonly isOwn: boolean;
  /** True if the indexed texts match and are current. A matching file may have been deleted or restricted since indexing. */
  readonly isMatch: boolean;
  /** Index entry with the text of the current page. @default - the current page is not indexed, or the drop is locked */
  readonly text: IndexedDrop | undefined;
}

/** A drop that becomes a result. */
interface Found extends Readable {
  /** Matching file names, one per line. */
  readonly files: string;
}

/** Looks up drops. Returns the drops that the reader may read and that still match. */
async function lookUp(some: readonly Sought[], search: Search): Promise<Found[]> {
  const { terms, request, nowMs } = search;
  const unread = some.filter(({ rows }) => rows === undefined);
  const find = await findItems(
    unread.flatMap(({ ownerId, slug }) => [keys.drop(ownerId, slug), keys.account(ownerId)]),
  );
  const readable = some.flatMap((one) => {
    const item = one.rows?.item ?? find(keys.drop(one.ownerId, one.slug));
    const owner = one.rows ? one.rows.owner : find(keys.account(one.ownerId));
    return judge(one, item, owner, search) ?? [];
  });
  const indexedNames = readable.map(({ drop, text }) => {
    const isNamed =
      text !== undefined &&
      terms.some((term) => !term.isExcluded && text.segment.has(text.row.id, term, ["files"]));
    const { files, fileIds } = isNamed ? text.segment.textsOf(text.row.id) : noTexts;
    return { drop, files, fileIds };
  });
  const names = await presentNames(indexedNames, terms, nowMs);
  return readable.flatMap((one, index) => {
    const { files = "", areGone = false } = names[index] ?? {};
    const { drop } = one;
    const isTagged = request.tags.every(
      ([key, value]) => !isLocked(drop) && drop.metadata.get(key) === value,
    );
    const isFound = (one.isMatch && !areGone) || matchesTerms(one, files, terms);
    return isTagged && isFound ? [{ ...one, files }] : [];
  });
}

/** Checks a candidate by its current row. Returns undefined if the reader may not find the drop. */
function judge(
  { indexed, isMatch }: Sought,
  item: Item | undefined,
  owner: Item | undefined,
  { searcher, nowMs }: Search,
): Readable | undefined {
  const drop = item && readDrop(item);
  if (drop === undefined || !isServed(owner) || !canFind(toListed(drop), searcher, nowMs)) return undefined;
  const hasText =
    indexed !== undefined &&
    indexed.row.pageKey === drop.latest.pageKey &&
    !indexed.row.isLocked &&
    !isLocked(drop);
  return {
    drop,
    owner: owner?.namespace as string,
    isOwn: drop.ownerId === searcher.userId,
    indexed,
    isMatch: isMatch && indexed?.row.revision === drop.revision,
    text: hasText ? indexed : undefined,
  };
}

function describe(found: readonly Found[], terms: readonly SearchTerm[]): FoundDrop[] {
  const texts = found.map(({ drop, text, files }): IndexedTexts => {
    const indexed = text === undefined ? noTexts : text.segment.textsOf(text.row.id);
    return { ...indexed, title: drop.title, ...changeableTexts(drop), files };
  });
  const descriptions = describeMatches(texts, terms);
  return found.map(({ drop, owner, isOwn }, index) => ({
    ...{ drop, owner, isOwn },
    ...(descriptions[index] as MatchDescription),
  }));
}

/** Finds the account id of a namespace. */
export async function findOwnerId(namespace: string): Promise<string | undefined> {
  return (await getItem(keys.namespace(namespace)))?.userId as string | undefined;
}
