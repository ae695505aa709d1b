import type { Drop } from "../drops/drop.ts";
import { readDrop } from "../drops/items.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { keys } from "../table/keys.ts";
import { getItems, RetryableError, retryConflicts } from "../table/table.ts";
import {
  type FoundManifest,
  type Manifest,
  putSegment,
  readManifest,
  removeSegments,
  type SegmentFile,
  writeManifest,
} from "./index-files.ts";
import { boundTexts } from "./indexed-terms.ts";
import { changeableTexts, headOf, readTexts } from "./read-document.ts";
import {
  type DocumentHead,
  type IndexEntry,
  type IndexedPlace,
  type IndexedTexts,
  isRemoved,
  type RemovedDocument,
} from "./search-document.ts";
import type { SegmentRow } from "./segment.ts";
import { latestSnapshot, newestEntry, type Snapshot } from "./snapshot.ts";

/** Size up to which a write replaces the newest segment. Above this size, a write adds a new segment. */
const newestMax = { entries: 32, bytes: 4 * 1024 * 1024, tokens: 60_000 } as const;

/** Average number of bytes per token in a segment file. Used to estimate the tokens of segments without a count. */
const bytesPerToken = 12;

/** Time for which a replaced segment is stored, because readers may still use it. */
const replacedKeptMs = 10 * 60 * 1000;

/** Budget of one write of the index. */
interface IndexBudget {
  /** Maximum number of tokens of all drops. A write always includes the first drop, even if that drop alone exceeds the budget. */
  readonly tokensMax: number;
  /** Maximum number of tokens of one owner's drops. */
  readonly ownerTokensMax: number;
  /** Time after which no further page is read, in Unix milliseconds. */
  readonly endMs: number;
}

const unbounded: IndexBudget = {
  tokensMax: Number.POSITIVE_INFINITY,
  ownerTokensMax: Number.POSITIVE_INFINITY,
  endMs: Number.POSITIVE_INFINITY,
};

/**
 * Updates the index with changed drops, in order. Returns the drops that exceeded the budget. Each attempt reads the index before the
 * drops, so that a later write never contains older drops.
 *
 * @throws ApiError `unavailable` if other writers were faster at each attempt
 */
export async function updateIndex(
  places: readonly IndexedPlace[],
  nowMs: number,
  budget: IndexBudget = unbounded,
): Promise<readonly IndexedPlace[]> {
  return retryConflicts(async () => {
    const snapshot = await latestSnapshot();
    const drops = await readDrops(places);
    const stale = [...drops].flatMap(([place, drop]) => {
      const head = headOf(place, drop, nowMs);
      return isIndexed(head, snapshot) ? [] : [{ place, head, drop }];
    });
    const { entries, left } = await readEntries(stale, snapshot, nowMs, budget);
    if (entries.length > 0) await addEntries(entries, snapshot, nowMs);
    return left;
  });
}

/** A drop whose index entry is missing or older than its row. */
interface StaleDrop {
  readonly place: IndexedPlace;
  readonly head: DocumentHead | RemovedDocument;
  readonly drop: Drop | undefined;
}

/** Builds the index entries of drops, in order, until the budget is used up. */
async function readEntries(
  stale: readonly StaleDrop[],
  snapshot: Snapshot,
  nowMs: number,
  { tokensMax, ownerTokensMax, endMs }: IndexBudget,
): Promise<{ readonly entries: readonly IndexEntry[]; readonly left: readonly IndexedPlace[] }> {
  const entries: IndexEntry[] = [];
  const left: IndexedPlace[] = [];
  const spent = new Map<string, number>();
  let tokens = 0;
  for (let start = 0; start < stale.length; start += pagesAtOnce) {
    const isOver = start > 0 && (tokens >= tokensMax || Date.now() >= endMs);
    const some = stale.slice(start, start + pagesAtOnce).filter(({ head, place }) => {
      const isRead = !isOver && (spent.get(head.ownerId) ?? 0) < ownerTokensMax;
      if (!isRead) left.push(place);
      return isRead;
    });
    const read = some.map(({ head, drop }) => toEntry(head, drop, snapshot, nowMs));
    for (const { entry, cost } of await Promise.all(read)) {
      tokens += cost;
      spent.set(entry.ownerId, (spent.get(entry.ownerId) ?? 0) + cost);
      entries.push(entry);
    }
  }
  return { entries, left };
}

/** Reads each drop once. If the owner no longer has the drop, looks it up by slug, because it may have been transferred. */
async function readDrops(places: readonly IndexedPlace[]): Promise<Map<IndexedPlace, Drop | undefined>> {
  const bySlug = new Map(places.map((place) => [place.slug, place]));
  const rows = await getItems([...bySlug.values()].map(({ ownerId, slug }) => keys.drop(ownerId, slug)));
  const drops = new Map(rows.map((row) => [row.slug as string, readDrop(row)]));
  const found = [...bySlug].map(async ([slug, place]) => {
    const drop = drops.has(slug) ? drops.get(slug) : await publicDrops.findBySlug(slug);
    return [place, drop] as const;
  });
  return new Map(await Promise.all(found));
}

/** Number of pages that are read concurrently. The number of tokens in a page is known only after reading it. */
const pagesAtOnce = 4;

/** Number of characters of HTML whose parsing costs as much as indexing one token. Parsing 2 MiB of tags takes 200 ms. */
const htmlPerToken = 20;

async function toEntry(
  head: DocumentHead | RemovedDocument,
  drop: Drop | undefined,
  snapshot: Snapshot,
  nowMs: number,
): Promise<{ readonly entry: IndexEntry; readonly cost: number }> {
  const { ownerId, slug } = head;
  const removed = { entry: { ownerId, slug, isRemoved: true }, cost: 0 } as const;
  if (drop === undefined || isRemoved(head)) return removed;
  const known = indexedTexts(head, drop, snapshot);
  const read = known ? { texts: known, htmlLength: 0 } : await readTexts(drop, nowMs);
  if (read === undefined) return removed;
  const bounded = boundTexts(read.texts);
  const cost = bounded.length + read.htmlLength / htmlPerToken;
  return { entry: { ...head, texts: bounded.texts, bounded }, cost };
}

/**
 * Returns the indexed texts of a drop's page, with the drop's current title, description and tags. Returns undefined if the page has
 * changed, or if its readers have changed, since the indexed file names depend on the readers.
 */
function indexedTexts(head: DocumentHead, drop: Drop, { segments }: Snapshot): IndexedTexts | undefined {
  const { segment, row } = newestEntry(segments, head.slug) ?? {};
  if (segment === undefined || row === undefined || row.isRemoved || row.isLocked || head.isLocked)
    return undefined;
  if (row.pageKey !== head.pageKey || !hasSameReaders(row, head)) return undefined;
  return { ...segment.textsOf(row.id), title: drop.title, ...changeableTexts(drop) };
}

function hasSameReaders(row: SegmentRow, head: DocumentHead): boolean {
  return [...row.audiences].join() === head.audiences.join();
}

/** Returns true if the index already has this revision of a drop. The stream may deliver a change twice. */
export function isIndexed(
  head: DocumentHead | RemovedDocument,
  { segments }: Pick<Snapshot, "segments">,
): boolean {
  const row = newestEntry(segments, head.slug)?.row;
  if (row === undefined || row.isRemoved || isRemoved(head))
    return (row?.isRemoved ?? true) && isRemoved(head);
  return (
    row.revision === head.revision &&
    row.pageKey === head.pageKey &&
    row.ownerId === head.ownerId &&
    row.isLocked === head.isLocked &&
    hasSameReaders(row, head)
  );
}

async function addEntries(
  changed: readonly IndexEntry[],
  { found, segments }: Snapshot,
  nowMs: number,
): Promise<void> {
  const all = found.manifest.segments;
  const open = all[0] && isOpenForMore(all[0]) ? segments[0]?.segment : undefined;
  const slugs = new Set(changed.map(({ slug }) => slug));
  const kept = open?.entries(({ slug }) => !slugs.has(slug)) ?? [];
  await replaceSegments(found, { from: 0, count: open ? 1 : 0 }, [...changed, ...kept], 0, nowMs);
}

export function isOpenForMore(segment: SegmentFile): boolean {
  const { level, entries, bytes } = segment;
  const isSmall = entries < newestMax.entries && bytes < newestMax.bytes;
  return level === 0 && isSmall && tokensOf(segment) < newestMax.tokens;
}

export function tokensOf({ tokens, bytes }: SegmentFile): number {
  return tokens ?? bytes / bytesPerToken;
}

/** Range of adjacent segments. */
export interface Run {
  readonly from: number;
  readonly count: number;
}

/** Keys of replaced segments that readers no longer use. */
export function oldOf({ replaced }: Manifest, nowMs: number): string[] {
  return replaced.filter(({ atMs }) => atMs < nowMs - replacedKeptMs).map(({ key }) => key);
}

/** Replaces segments with a new segment. Removes the new segment again if another writer was faster. */
export async function replaceSegments(
  found: FoundManifest,
  { from, count }: Run,
  entries: Iterable<IndexEntry>,
  level: number,
  nowMs: number,
): Promise<void> {
  const { segments, replaced } = found.manifest;
  const written = await putSegment(entries, level);
  // Removes old segments before their entries disappear from the manifest. If this execution crashes, the next write removes them.
  const old = oldOf(found.manifest, nowMs);
  await removeSegments(old);
  const gone = segments.slice(from, from + count).map(({ key }) => ({ key, atMs: nowMs }));
  const manifest: Manifest = {
    ...found.manifest,
    segments: segments.toSpliced(from, count, ...(written ? [written] : [])),
    replaced: [...replaced.filter(({ key }) => !old.includes(key)), ...gone],
  };
  try {
    await writeManifest(manifest, found);
  } catch (error) {
    if (!(error instanceof RetryableError)) throw error;
    // If a response was lost, the SDK retries the request. The retry then conflicts with the first request.
    const { manifest: now } = await readManifest();
    const isWritten = now.segments.some(({ key }) => key === written?.key);
    if (!isWritten && written) await removeSegments([written.key]);
    if (!isWritten) throw error;
  }
}
