import { audiencesFor, isListed, readDrop } from "../drops/audiences.ts";
import { type Drop, isLocked } from "../drops/drop.ts";
import { limits } from "../http/limits.ts";
import type { MetadataFilters } from "../http/query.ts";
import type { Reader } from "../identity/readers.ts";
import { isExpired } from "../identity/visibility.ts";
import { keys } from "../table/keys.ts";
import { isSuspended } from "../table/suspension.ts";
import { findItems, getItem, type Item } from "../table/table.ts";
import { withPresentNames } from "./file-names.ts";
import { type Candidate, rankDrops } from "./rank.ts";
import { type IndexedTexts, noTexts, type SearchedPart } from "./search-document.ts";
import { parseSearchQuery, type SearchTerm } from "./search-query.ts";
import { latestSnapshot } from "./snapshot.ts";
import { describeMatch, matchesTexts, type Snippet } from "./snippet.ts";

/** A page of a search's results. */
export interface SearchRequest {
  readonly q: string;
  /** The namespace of an owner. @default - anybody's */
  readonly owner?: string | undefined;
  /** The account of an owner, in place of the namespace. @default - anybody's */
  readonly ownerId?: string | undefined;
  readonly tags: MetadataFilters;
  /** Earliest time of the last change, in Unix milliseconds. @default - any */
  readonly sinceMs?: number | undefined;
  /** Counted from 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** A drop that matches, as its row is now. */
export interface FoundDrop {
  readonly drop: Drop;
  /** The namespace of who has it. */
  readonly owner: string;
  readonly isOwn: boolean;
  readonly matched: readonly SearchedPart[];
  readonly snippet: Snippet;
}

/** Results of a search, best first. */
export interface SearchResults {
  readonly results: readonly FoundDrop[];
  /** There is a next page. All pages together have at most `searchResultsMax` results. */
  readonly hasMore: boolean;
}

const nothing: SearchResults = { results: [], hasMore: false };

/** Drops that are looked up at the same time, and in all: only those that were closed in the last seconds are looked up for nothing. */
const lookedUpAtOnce = 25;
const lookedUpMax = 2 * limits.searchResultsMax;

/**
 * Searches what a reader may read. The index is a hint: each drop is looked up before it is a result, and what has changed since it was indexed
 * has to match as it is now.
 *
 * @throws ApiError `invalid_arg` for a query that cannot be read
 */
export async function findDrops(
  reader: Reader,
  request: SearchRequest,
  nowMs: number,
): Promise<SearchResults> {
  const terms = parseSearchQuery(request.q);
  const [{ segments }, ownerId] = await Promise.all([
    latestSnapshot(),
    request.owner === undefined ? request.ownerId : findOwnerId(request.owner),
  ]);
  if (request.owner !== undefined && ownerId === undefined) return nothing;
  const scope = {
    userId: reader.isBarred ? undefined : reader.userId,
    audiences: new Set(audiencesFor(reader)),
    ownerId,
    sinceMs: request.sinceMs,
    tags: request.tags,
  };
  const candidates = rankDrops(segments, terms, scope, nowMs).slice(0, lookedUpMax);
  const [from, to] = [(request.page - 1) * request.pageSize, request.page * request.pageSize];
  const found: Found[] = [];
  for (let start = 0; start < candidates.length && found.length <= to; start += lookedUpAtOnce) {
    const some = candidates.slice(start, start + lookedUpAtOnce);
    found.push(...(await lookUp(some, terms, reader, request, nowMs)));
  }
  return {
    results: found.slice(from, to).map((one) => describe(one, terms)),
    hasMore: found.length > to && to + request.pageSize <= limits.searchResultsMax,
  };
}

/** A drop that the reader may read, with its texts. */
interface Found extends Pick<FoundDrop, "drop" | "owner" | "isOwn"> {
  readonly texts: IndexedTexts;
  /** The drop is as it was when it was indexed. */
  readonly isAsIndexed: boolean;
  /** The texts are all that the drop has. */
  readonly isWhole: boolean;
}

/** The drops of candidates that the reader may read and that match as they are now. */
async function lookUp(
  candidates: readonly Candidate[],
  terms: readonly SearchTerm[],
  reader: Reader,
  { tags }: SearchRequest,
  nowMs: number,
): Promise<Found[]> {
  const rows = candidates.map(({ row }) => row);
  const find = await findItems(
    rows.flatMap(({ ownerId, slug }) => [keys.drop(ownerId, slug), keys.account(ownerId)]),
  );
  const readable = candidates.flatMap((candidate) => {
    const { ownerId, slug } = candidate.row;
    const [item, owner] = [find(keys.drop(ownerId, slug)), find(keys.account(ownerId))];
    return judge(candidate, item, owner, reader, nowMs) ?? [];
  });
  const named = await withPresentNames(readable, terms, nowMs);
  const hasExclusions = terms.some(({ isExcluded }) => isExcluded);
  return named.filter(({ drop, texts, isAsIndexed, isWhole, areNamesGone }) => {
    if (hasExclusions && !isWhole) return false;
    const isTagged = tags.every(([key, value]) => !isLocked(drop) && drop.metadata.get(key) === value);
    return isTagged && ((isAsIndexed && !areNamesGone) || matchesTexts(texts, terms));
  });
}

/** The drop of a candidate with its present texts; undefined where the reader may not find it, or it has another page now. */
function judge(
  { segment, row }: Candidate,
  item: Item | undefined,
  owner: Item | undefined,
  reader: Reader,
  nowMs: number,
): Found | undefined {
  const drop = item && readDrop(item);
  if (drop === undefined || drop.latest.pageKey !== row.pageKey) return undefined;
  if (!isFindable(drop, owner, reader, nowMs)) return undefined;
  const isOwn = drop.ownerId === reader.userId;
  const { title } = drop;
  const indexed = segment.textsOf(row.id);
  const texts = isLocked(drop)
    ? { ...noTexts, title }
    : {
        ...indexed,
        title,
        description: drop.description ?? "",
        metadata: [...drop.metadata.values()].join("\n"),
      };
  const isAsIndexed = drop.revision === row.revision;
  // What was locked when it was indexed has its title alone in the index.
  const isWhole = !row.isLocked || isLocked(drop);
  return { drop, owner: owner?.namespace as string, isOwn, texts, isAsIndexed, isWhole };
}

/** Owners find all of theirs, others what the library lists for them; a locked page is found by its owner alone. */
function isFindable(drop: Drop, owner: Item | undefined, reader: Reader, nowMs: number): boolean {
  if (drop.ownerId !== reader.userId) return !isLocked(drop) && isListed(drop, owner, reader, nowMs);
  return !reader.isBarred && !isExpired(drop, nowMs) && owner !== undefined && !isSuspended(owner);
}

function describe({ texts, drop, owner, isOwn }: Found, terms: readonly SearchTerm[]): FoundDrop {
  return { drop, owner, isOwn, ...describeMatch(texts, terms) };
}

/** Finds the account of a namespace. */
export async function findOwnerId(namespace: string): Promise<string | undefined> {
  return (await getItem(keys.namespace(namespace)))?.userId as string | undefined;
}
