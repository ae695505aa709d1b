import { type FoundManifest, openSegments, readManifest } from "./index-files.ts";
import type { Segment, SegmentRow } from "./segment.ts";

/** A segment with the rows that no newer segment has replaced. */
export interface LiveSegment {
  readonly segment: Segment;
  /** By the rows' ids. Removed drops are none. */
  readonly rows: ReadonlyMap<number, SegmentRow>;
}

/** A consistent state of the index. */
export interface Snapshot {
  readonly found: FoundManifest;
  /** Newest first. */
  readonly segments: readonly LiveSegment[];
}

/** The manifest names a segment that is not there: it was replaced each time, or is lost. */
export class MissingSegmentError extends Error {
  override readonly name = "MissingSegmentError";

  constructor() {
    super("A file of the search index was missing each time that the index was opened.");
  }
}

/** Attempts to open the segments of a manifest before one of them is removed. */
const attemptsMax = 3;

/** Opens the index as it is now. Segments that are open already are read no second time. */
async function openSnapshot(known?: Snapshot): Promise<Snapshot> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await readManifest(attempt === 1 ? known?.found : undefined);
    if (found === known?.found) return known;
    const segments = await openSegments(found.manifest.segments);
    if (segments !== undefined) return { found, segments: liveSegments(segments) };
    if (attempt === attemptsMax) throw new MissingSegmentError();
  }
}

let latest: Snapshot | undefined;

/** The index as it is now. Where it has not changed, that takes one request, without a body. */
export async function latestSnapshot(): Promise<Snapshot> {
  latest = await openSnapshot(latest);
  return latest;
}

/** The rows of segments, newest first, that count. A slug is issued once, so that it names the drop whoever owns it. */
export function liveSegments(segments: readonly Segment[]): LiveSegment[] {
  return segments.map((segment, index) => {
    const newer = segments.slice(0, index);
    const live = segment.rows.filter(({ slug }) => !newer.some(({ bySlug }) => bySlug.has(slug)));
    return { segment, rows: new Map(live.filter((row) => !row.isRemoved).map((row) => [row.id, row])) };
  });
}
