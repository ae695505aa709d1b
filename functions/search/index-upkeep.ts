import { retryConflicts } from "../table/table.ts";
import { type Manifest, readManifest, removeSegments } from "./index-files.ts";
import { isOpenForMore, oldOf, type Run, replaceSegments, tokensOf } from "./index-writer.ts";
import type { IndexEntry } from "./search-document.ts";
import type { SegmentRow } from "./segment.ts";
import { type LiveSegment, latestSnapshot, newestEntry, type Snapshot } from "./snapshot.ts";

/** Number of segments of one level that are merged into one segment of the next level. */
const mergedAtOnce = 8;

/** Limits of a merge. Segments of `levelMax` are not merged, and the total size of merged segments must not exceed `mergedBytesMax`. */
const levelMax = 2;
const mergedBytesMax = 32 * 1024 * 1024;

/**
 * Maximum number of tokens in a merge. A token takes 2.5 µs. While changes wait, a merge takes up to half a second. If no change waits, or
 * if there are more than `segmentsMax` segments, it takes up to a few seconds.
 */
const mergedTokensMax = { busy: 200_000, quiet: 1_600_000 } as const;
const segmentsMax = 48;

/**
 * Merges segments of a level that has at least `mergedAtOnce`. Returns false if there is nothing to merge.
 *
 * @throws ApiError `unavailable` if other writers were faster at each attempt
 */
export async function mergeIndex(
  nowMs: number,
  { isQuiet }: { readonly isQuiet: boolean },
): Promise<boolean> {
  return retryConflicts(async () => {
    const snapshot = await latestSnapshot();
    const due = dueForMerge(snapshot.found.manifest, isQuiet);
    if (due !== undefined) await rewrite(snapshot, due, due.level + 1, nowMs);
    return due !== undefined;
  });
}

/** Finds the oldest segments of a level that may be merged. */
function dueForMerge({ segments }: Manifest, isQuiet: boolean) {
  const isLarge = isQuiet || segments.length > segmentsMax;
  const tokensMax = isLarge ? mergedTokensMax.quiet : mergedTokensMax.busy;
  for (let level = 0; level < levelMax; level += 1) {
    for (let from = segments.length - mergedAtOnce; from >= 0; from -= 1) {
      const merged = segments.slice(from, from + mergedAtOnce);
      const areFull = merged.every(
        (one, index) => one.level === level && !(from + index === 0 && isOpenForMore(one)),
      );
      const bytes = merged.reduce((sum, one) => sum + one.bytes, 0);
      const tokens = merged.reduce((sum, one) => sum + tokensOf(one), 0);
      if (areFull && bytes <= mergedBytesMax && tokens <= tokensMax)
        return { from, count: mergedAtOnce, level };
    }
  }
  return undefined;
}

/** Replaces a range of segments with one segment that has their live entries. */
async function rewrite({ found, segments }: Snapshot, run: Run, level: number, nowMs: number): Promise<void> {
  await replaceSegments(found, run, liveEntries(segments, run), level, nowMs);
}

/** Reads the live entries of a range of segments. A tombstone is live as long as an older segment has an entry of the drop. */
function* liveEntries(segments: readonly LiveSegment[], { from, count }: Run): Generator<IndexEntry> {
  const older = segments.slice(from + count);
  const isInOlder = (slug: string) => older.some(({ segment }) => segment.bySlug.has(slug));
  for (const { segment, rows } of segments.slice(from, from + count)) {
    yield* segment.entries(
      (row) =>
        rows.has(row.id) ||
        (row.isRemoved && newestEntry(segments, row.slug)?.row === row && isInOlder(row.slug)),
    );
  }
}

/**
 * Removes withdrawn texts from one segment. These are texts of deleted pages, and of pages that became more restricted. Returns false if no
 * segment has withdrawn texts.
 *
 * @throws ApiError `unavailable` if other writers were faster at each attempt
 */
export async function cleanIndex(nowMs: number): Promise<boolean> {
  const isCleaned = await retryConflicts(async () => {
    const snapshot = await latestSnapshot();
    const from = snapshot.segments.findIndex((_, index) => isToBeCleaned(snapshot.segments, index));
    const { level = 0 } = snapshot.found.manifest.segments[from] ?? {};
    if (from !== -1) await rewrite(snapshot, { from, count: 1 }, level, nowMs);
    return from !== -1;
  });
  // Removes old replaced segments now. Otherwise, they would stay until the next write.
  const { manifest } = await readManifest();
  await removeSegments(oldOf(manifest, nowMs));
  return isCleaned;
}

/**
 * Returns true if a segment has withdrawn texts, or if more than half of its entries are replaced. Replaced texts of earlier versions are
 * not withdrawn, because readers may still read these versions.
 */
function isToBeCleaned(segments: readonly LiveSegment[], index: number): boolean {
  const { segment, rows } = segments[index] as LiveSegment;
  const replaced = segment.rows.filter((row) => !row.isRemoved && !rows.has(row.id));
  if (replaced.length * 2 > segment.rows.length) return true;
  return replaced.some((row) => isWithdrawn(row, newestEntry(segments, row.slug)?.row as SegmentRow));
}

function isWithdrawn(before: SegmentRow, now: SegmentRow): boolean {
  if (now.isRemoved || now.version < before.version || (now.isLocked && !before.isLocked)) return true;
  return [...before.audiences].some((audience) => !now.audiences.has(audience));
}
