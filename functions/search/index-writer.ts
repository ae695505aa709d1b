import pLimit from "p-limit";
import { readDrop } from "../drops/audiences.ts";
import type { Drop } from "../drops/drop.ts";
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
import { headOf, readTexts } from "./read-document.ts";
import {
  type DocumentHead,
  type IndexEntry,
  type IndexedPlace,
  isRemoved,
  type RemovedDocument,
} from "./search-document.ts";
import type { SegmentRow } from "./segment.ts";
import { type LiveSegment, latestSnapshot, type Snapshot } from "./snapshot.ts";

/** Entries and bytes of the newest segment, which each write makes anew; a fuller one is merged. */
const newestMax = { entries: 256, bytes: 4 * 1024 * 1024 } as const;

/** Segments of a level that are merged to one of the next. */
const mergedAtOnce = 8;

/** Segments of this level, or of so many bytes together, are merged no more: a merge is to end in a quarter of the worker's minute. */
const levelMax = 2;
const mergedBytesMax = 32 * 1024 * 1024;

/** Time for which readers may still fetch a segment that others have replaced. */
const replacedKeptMs = 10 * 60 * 1000;

/**
 * Brings the index up to date with drops that have changed. Each attempt reads the drops after the index that it replaces, so that of two writers
 * the second has seen what the first saw, or more.
 *
 * @throws ApiError `unavailable` where other writers were faster each time
 */
export async function updateIndex(places: readonly IndexedPlace[], nowMs: number): Promise<void> {
  const isWritten = await retryConflicts(async () => {
    const snapshot = await latestSnapshot();
    const drops = await readDrops(places);
    const stale = [...drops].flatMap(([place, drop]) => {
      const head = headOf(place, drop, nowMs);
      return isIndexed(head, snapshot) ? [] : [{ head, drop }];
    });
    const limit = pLimit(pagesAtOnce);
    const entries = await Promise.all(stale.map(({ head, drop }) => limit(() => toEntry(head, drop, nowMs))));
    if (entries.length > 0) await addEntries(entries, snapshot, nowMs);
    return entries.length > 0;
  });
  if (isWritten) await mergeSegments(nowMs);
}

/** The drops as they are now, each once. One that is not where it was may have gone to another account. */
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

/** Pages that are read at the same time: one has up to 2 MiB. */
const pagesAtOnce = 8;

async function toEntry(
  head: DocumentHead | RemovedDocument,
  drop: Drop | undefined,
  nowMs: number,
): Promise<IndexEntry> {
  const { ownerId, slug } = head;
  const texts = drop === undefined || isRemoved(head) ? undefined : await readTexts(drop, nowMs);
  return texts === undefined || isRemoved(head) ? { ownerId, slug, isRemoved: true } : { ...head, texts };
}

/** Decides whether the index has what it is to have of a drop: a change may come twice. */
export function isIndexed(
  head: DocumentHead | RemovedDocument,
  { segments }: Pick<Snapshot, "segments">,
): boolean {
  const row = newestRow(segments, head.slug);
  if (row === undefined || row.isRemoved || isRemoved(head))
    return (row?.isRemoved ?? true) && isRemoved(head);
  return (
    row.revision === head.revision &&
    row.pageKey === head.pageKey &&
    row.ownerId === head.ownerId &&
    row.isLocked === head.isLocked &&
    [...row.audiences].join() === head.audiences.join()
  );
}

function newestRow(segments: readonly LiveSegment[], slug: string): SegmentRow | undefined {
  return segments.find(({ segment }) => segment.bySlug.has(slug))?.segment.bySlug.get(slug);
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

function isOpenForMore({ level, entries, bytes }: SegmentFile): boolean {
  return level === 0 && entries < newestMax.entries && bytes < newestMax.bytes;
}

/** Merges eight segments of a level, until there are fewer. */
async function mergeSegments(nowMs: number): Promise<void> {
  let isMerged = true;
  while (isMerged) {
    isMerged = await retryConflicts(async () => {
      const snapshot = await latestSnapshot();
      const due = dueForMerge(snapshot.found.manifest);
      if (due !== undefined) await rewrite(snapshot, due, due.level + 1, nowMs);
      return due !== undefined;
    });
  }
}

/** Segments that lie side by side. */
interface Run {
  readonly from: number;
  readonly count: number;
}

/** The oldest segments of a level, where they are to become one. Each level lies behind the one before. */
function dueForMerge({ segments }: Manifest): (Run & { readonly level: number }) | undefined {
  for (let level = 0; level < levelMax; level += 1) {
    const end = segments.findLastIndex((one) => one.level === level) + 1;
    const from = Math.max(0, end - mergedAtOnce);
    const merged = segments.slice(from, end);
    const areFull = merged.every(
      (one, index) => one.level === level && !(from + index === 0 && isOpenForMore(one)),
    );
    const bytes = merged.reduce((sum, one) => sum + one.bytes, 0);
    if (merged.length === mergedAtOnce && areFull && bytes <= mergedBytesMax)
      return { from, count: mergedAtOnce, level };
  }
  return undefined;
}

/** Writes one segment of what is live in several, in their place. */
async function rewrite({ found, segments }: Snapshot, run: Run, level: number, nowMs: number): Promise<void> {
  await replaceSegments(found, run, liveEntries(segments, run), level, nowMs);
}

/** The entries of a run that count. A removal counts while an older segment has something of the drop. */
function* liveEntries(segments: readonly LiveSegment[], { from, count }: Run): Generator<IndexEntry> {
  const older = segments.slice(from + count);
  const isInOlder = (slug: string) => older.some(({ segment }) => segment.bySlug.has(slug));
  for (const { segment, rows } of segments.slice(from, from + count)) {
    yield* segment.entries(
      (row) =>
        rows.has(row.id) || (row.isRemoved && newestRow(segments, row.slug) === row && isInOlder(row.slug)),
    );
  }
}

/**
 * Removes from the index's files what may not be read any more: texts of pages that are gone, or that fewer may read than before.
 *
 * @throws ApiError `unavailable` where other writers were faster each time
 */
export async function cleanIndex(nowMs: number): Promise<void> {
  let isCleaned = true;
  while (isCleaned) {
    isCleaned = await retryConflicts(async () => {
      const snapshot = await latestSnapshot();
      const from = snapshot.segments.findIndex((_, index) => isToBeCleaned(snapshot.segments, index));
      const { level = 0 } = snapshot.found.manifest.segments[from] ?? {};
      if (from !== -1) await rewrite(snapshot, { from, count: 1 }, level, nowMs);
      return from !== -1;
    });
  }
  // The last write before a pause has nobody else to remove what it replaced.
  const { manifest } = await readManifest();
  await removeSegments(oldOf(manifest, nowMs));
}

/** Keys of replaced segments that no reader fetches any more. */
function oldOf({ replaced }: Manifest, nowMs: number): string[] {
  return replaced.filter(({ atMs }) => atMs < nowMs - replacedKeptMs).map(({ key }) => key);
}

/** Texts of earlier versions are read with the versions, and stay until half of a segment is of that kind. */
function isToBeCleaned(segments: readonly LiveSegment[], index: number): boolean {
  const { segment, rows } = segments[index] as LiveSegment;
  const replaced = segment.rows.filter((row) => !row.isRemoved && !rows.has(row.id));
  if (replaced.length * 2 > segment.rows.length) return true;
  return replaced.some((row) => isWithdrawn(row, newestRow(segments, row.slug) as SegmentRow));
}

function isWithdrawn(before: SegmentRow, now: SegmentRow): boolean {
  if (now.isRemoved || now.version < before.version || (now.isLocked && !before.isLocked)) return true;
  return [...before.audiences].some((audience) => !now.audiences.has(audience));
}

/** Puts a new segment in the place of others, which goes again where another writer was faster. */
async function replaceSegments(
  found: FoundManifest,
  { from, count }: Run,
  entries: Iterable<IndexEntry>,
  level: number,
  nowMs: number,
): Promise<void> {
  const { segments, replaced } = found.manifest;
  const written = await putSegment(entries, level);
  // Before the manifest forgets their names: a writer that dies between the two leaves them to the next.
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
    // The SDK repeats a request whose response was lost, and then meets what the first has written.
    const { manifest: now } = await readManifest();
    const isWritten = now.segments.some(({ key }) => key === written?.key);
    if (!isWritten && written) await removeSegments([written.key]);
    if (!isWritten) throw error;
  }
}
