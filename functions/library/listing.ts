import { ApiError } from "../core/errors.ts";
import { matchesWords, normalizedWords } from "../core/normalize-text.ts";
import type { Drop } from "../drops/drop.ts";
import { readDrop } from "../drops/items.ts";
import type { IdentityKey } from "../people/accounts.ts";
import type { Reader } from "../people/find-reader.ts";
import { canFind, canList, isServed, toListed, toSearcher } from "../policies/access.ts";
import { findOwnerId } from "../search/find-drops.ts";
import { findTitles } from "../search/find-titles.ts";
import {
  keys,
  type LibraryPosition,
  libraryPositionText,
  parseLibraryPosition,
  ranges,
} from "../table/keys.ts";
import { createSeal, openSealed, type SealBinding } from "../table/sealed-value.ts";
import { findItems, type Item, querySortKeysBefore } from "../table/table.ts";
import type { LibraryFilters } from "./library-filters.ts";

// Cursors are encrypted, because they contain the position of a drop that the reader may have lost access to.

const purpose = "library-cursor";
const charactersMax = 200;

/** Encrypts the position of a reader's next page as a cursor. */
export async function sealCursor(position: LibraryPosition, reader: IdentityKey): Promise<string> {
  const seal = await createSeal(purpose);
  return seal(libraryPositionText(position), bindingOf(reader));
}

/** Decrypts a reader's cursor. @throws ApiError `invalid_arg` for an invalid cursor, or for a cursor of another reader */
export async function openCursor(cursor: string, reader: IdentityKey): Promise<LibraryPosition> {
  const text =
    cursor.length <= charactersMax ? await openSealed(purpose, cursor, bindingOf(reader)) : undefined;
  const position = text === undefined ? undefined : parseLibraryPosition(text);
  if (position !== undefined) return position;
  throw new ApiError("invalid_arg", {
    message:
      "cursor is not from this list, or is too old. Send next_cursor of the last response unchanged, or start without cursor.",
    details: { parameter: "cursor" },
  });
}

function bindingOf({ provider, id }: IdentityKey): SealBinding {
  return [provider, id];
}

/** Request for a page of the library. */
export interface LibraryRequest extends LibraryFilters {
  readonly pageSize: number;
  /** Position after which the page begins. @default - the newest drop */
  readonly after: LibraryPosition | undefined;
}

/** A drop in a reader's library. */
export interface LibraryDrop {
  readonly drop: Drop;
  /** Namespace of the current owner. */
  readonly owner: string;
  readonly isOwn: boolean;
  /** True if the drop is locked with a passcode, which hides title, description and tags from everyone but the owner. */
  readonly isHidden: boolean;
}

/** Maximum number of rounds in which a request reads drops, and of drops in each round. */
const roundsMax = 3;
const dropsPerRoundMax = 100;

/**
 * Maximum number of index entries per round if a single owner is requested. This limit is larger, because entries are filtered by owner
 * without reading the drops.
 */
const entriesPerRoundMax = 1_000;

/**
 * Function that reads up to `limit` positions after the given position, or from the newest. Its result also says if more positions follow.
 */
type PositionReader = (
  after: LibraryPosition | undefined,
  limit: number,
) => Promise<{ readonly entries: readonly LibraryPosition[]; readonly hasMore: boolean }>;

/**
 * Lists the newest drops that match the filters and that the reader may read. Checks each drop's current table row. Searches for words in
 * the search index first, then in the row. The number of entries read is limited, so a page can be short although more drops follow.
 *
 * @returns a page of drops, and the position at which the next page starts, or undefined for the last page
 */
export async function listLibraryDrops(
  reader: Reader,
  request: LibraryRequest,
  nowMs: number,
): Promise<{ readonly drops: readonly LibraryDrop[]; readonly next: LibraryPosition | undefined }> {
  const ownerId = request.owner === undefined ? undefined : await findOwnerId(request.owner);
  if (request.owner !== undefined && ownerId === undefined) return { drops: [], next: undefined };
  const words = normalizedWords(request.search ?? "");
  const nextEntries =
    words.length === 0
      ? readAudiences(reader)
      : readPositions(await findTitles(reader, words, ownerId, nowMs));
  const drops: LibraryDrop[] = [];
  let last = request.after;
  for (let round = 0; round < roundsMax; round += 1) {
    const { entries, hasMore } = await nextEntries(last, roundOf(request, words, drops.length));
    const candidates = entries.filter((entry) => ownerId === undefined || entry.ownerId === ownerId);
    const checked = candidates.slice(0, dropsPerRoundMax);
    const findDrop = await readDrops(checked, reader, nowMs);
    for (const entry of checked) {
      const found = findDrop(entry);
      if (found === undefined || !matches(found, words, request.tags)) continue;
      drops.push(found);
      // The page is full, so the next page continues after this entry.
      const isLast = !hasMore && entry === candidates.at(-1);
      if (drops.length === request.pageSize) return { drops, next: isLast ? undefined : entry };
    }
    const isCut = checked.length < candidates.length;
    last = isCut ? checked.at(-1) : (entries.at(-1) ?? last);
    if (!isCut && !hasMore) return { drops, next: undefined };
  }
  return { drops, next: last };
}

/** Returns the number of entries to read in a round. Without tags, returns the number of drops that the page still lacks. */
function roundOf(
  { owner, tags, pageSize }: LibraryRequest,
  words: readonly string[],
  foundCount: number,
): number {
  if (owner !== undefined && words.length === 0) return entriesPerRoundMax;
  return tags.length > 0 ? dropsPerRoundMax : Math.min(dropsPerRoundMax, pageSize - foundCount);
}

/**
 * Creates a function that reads the index entries of all the reader's audiences, newest first, without duplicate drops.
 * The index may be out of date, so callers read each drop before they show it.
 */
function readAudiences(reader: Reader): PositionReader {
  return async (after, limit) => {
    const before = after && libraryPositionText(after);
    const lists = await Promise.all(
      [...toSearcher(reader).audiences].map(async (audience) => {
        const found = await querySortKeysBefore(ranges.library(audience).pk, before, limit);
        return found.flatMap((text) => parseLibraryPosition(text) ?? []);
      }),
    );
    // Each list has the newest entries of one audience, so together they contain the newest entries overall.
    const newest = newestFirst(lists.flat());
    const hasMore = newest.length > limit || lists.some((list) => list.length === limit);
    return { entries: newest.slice(0, limit), hasMore };
  };
}

/** Creates a function that reads the list entries at the given positions, newest first. */
function readPositions(found: readonly LibraryPosition[]): PositionReader {
  const newest = newestFirst(found);
  return async (after, limit) => {
    const before = after && libraryPositionText(after);
    const further = before === undefined ? newest : newest.filter((one) => libraryPositionText(one) < before);
    return { entries: further.slice(0, limit), hasMore: further.length > limit };
  };
}

function newestFirst(entries: readonly LibraryPosition[]): LibraryPosition[] {
  const byText = new Map(entries.map((entry) => [libraryPositionText(entry), entry]));
  return [...byText].sort(([one], [other]) => (one < other ? 1 : -1)).map(([, entry]) => entry);
}

/**
 * Reads the drops and owners of the entries. Returns a function that finds an entry's drop. The function returns
 * undefined if the reader may not list the drop.
 */
async function readDrops(entries: readonly LibraryPosition[], reader: Reader, nowMs: number) {
  const find = await findItems(
    entries.flatMap(({ ownerId, slug }) => [keys.drop(ownerId, slug), keys.account(ownerId)]),
  );
  return ({ ownerId, slug }: LibraryPosition) =>
    toLibraryDrop(find(keys.drop(ownerId, slug)), find(keys.account(ownerId)), reader, nowMs);
}

function toLibraryDrop(
  item: Item | undefined,
  owner: Item | undefined,
  reader: Reader,
  nowMs: number,
): LibraryDrop | undefined {
  const drop = item && readDrop(item);
  if (drop === undefined || !isServed(owner)) return undefined;
  const [listed, searcher] = [toListed(drop), toSearcher(reader)];
  if (!canList(listed, searcher, nowMs)) return undefined;
  const isOwn = drop.ownerId === reader.userId;
  return { drop, owner: owner?.namespace as string, isOwn, isHidden: !canFind(listed, searcher, nowMs) };
}

/**
 * Checks that a drop contains all words and tags. Text of locked drops never matches, because searches could reveal it
 * word by word.
 */
function matches(
  { drop, isHidden }: LibraryDrop,
  words: readonly string[],
  tags: LibraryRequest["tags"],
): boolean {
  if (isHidden) return words.length === 0 && tags.length === 0;
  const { metadata, title, description } = drop;
  return (
    tags.every(([key, value]) => metadata.get(key) === value) &&
    matchesWords(words, normalizedWords(`${title} ${description ?? ""}`))
  );
}
