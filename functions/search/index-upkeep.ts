import { retryConflicts } from "../table/table.ts";
import { type Manifest, readManifest, removeSegments } from "./index-files.ts";
import { isOpenForMore, newestRow, oldOf, type Run, replaceSegments, tokensOf } from "./index-writer.ts";
import type { IndexEntry } from "./search-document.ts";
import type { SegmentRow } from "./segment.ts";
import { type LiveSegment, latestSnapshot, type Snapshot } from "./snapshot.ts";

/** Number of segments of a level that are merged into one of the next. */
const mergedAtOnce = 8;

/** Limits of merging: segments of this level, or larger together than this, are not merged. */
const levelMax = 2;
const mergedBytesMax = 32 * 1024 * 1024;

/**
 * Tokens of a merge, which takes 2.5 µs each: half a second while changes wait, and some seconds otherwise or with too
 * many segments.
 */
const mergedTokensMax = { busy: 200_000, quiet: 1_600_000 } as const;
const segmentsMax = 48;

/**
 * Merges eight segments of a level, if the level has eight. Returns false if there is nothing to merge.
 *
 * @throws ApiError `unavailable` if other writers were faster each time
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

/** The oldest segments of a level that may be merged. */
function dueForMerge(
  { segments }: Manifest,
  isQuiet: boolean,
): (Run & { readonly level: number }) | undefined {
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

/** Replaces several segments with one that has their live entries. */
async function rewrite({ found, segments }: Snapshot, run: Run, level: number, nowMs: number): Promise<void> {
  await replaceSegments(found, run, liveEntries(segments, run), level, nowMs);
}

/** The live entries of a run. A removal is live while an older segment has an entry of the drop. */
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
 * Removes withdrawn texts from one of the index's files: texts of deleted pages, or of pages that became more
 * restricted. Returns false after the last one.
 *
 * @throws ApiError `unavailable` if other writers were faster each time
 */
export async function cleanIndex(nowMs: number): Promise<boolean> {
  const isCleaned = await retryConflicts(async () => {
    const snapshot = await latestSnapshot();
    const from = snapshot.segments.findIndex((_, index) => isToBeCleaned(snapshot.segments, index));
    const { level = 0 } = snapshot.found.manifest.segments[from] ?? {};
    if (from !== -1) await rewrite(snapshot, { from, count: 1 }, level, nowMs);
    return from !== -1;
  });
  // Removes replaced segments, which would otherwise stay until the next write.
  const { manifest } = await readManifest();
  await removeSegments(oldOf(manifest, nowMs));
  return isCleaned;
}

/**
 * Checks if a segment has withdrawn texts. Texts of replaced versions stay readable with the versions, so they only
 * count once they are half of the segment.
 */
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
