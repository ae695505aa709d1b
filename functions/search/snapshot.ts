import { type FoundManifest, openSegments, readManifest } from "./index-files.ts";
import type { Segment, SegmentRow } from "./segment.ts";

/** A segment with its live rows, which no newer segment has replaced. */
export interface LiveSegment {
  readonly segment: Segment;
  /** Live rows by id, without removed drops. */
  readonly rows: ReadonlyMap<number, SegmentRow>;
}

/** A consistent state of the index: the manifest and its open segments. */
export interface Snapshot {
  readonly found: FoundManifest;
  /** Segments, newest first. */
  readonly segments: readonly LiveSegment[];
}

/** Error for a missing segment that is in the manifest: the segment was replaced at each attempt, or it is lost. */
export class MissingSegmentError extends Error {
  override readonly name = "MissingSegmentError";

  constructor() {
    super("A file of the search index was missing at each attempt to open the index.");
  }
}

/** Maximum number of attempts to open all segments. An attempt fails if another execution removes a segment meanwhile. */
const attemptsMax = 3;

let latest: Snapshot | undefined;

/**
 * Opens the current index. Reuses open segments. If the index has not changed, this takes a single request with an empty response.
 *
 * @throws MissingSegmentError
 */
export async function latestSnapshot(): Promise<Snapshot> {
  const known = latest;
  for (let attempt = 1; ; attempt += 1) {
    const found = await readManifest(attempt === 1 ? known?.found : undefined);
    if (found === known?.found) return known;
    const segments = await openSegments(found.manifest.segments);
    if (segments !== undefined) {
      latest = { found, segments: liveSegments(segments) };
      return latest;
    }
    if (attempt === attemptsMax) throw new MissingSegmentError();
  }
}

/** Finds the newest entry of a drop, which may be a tombstone. */
export function newestEntry(segments: readonly LiveSegment[], slug: string) {
  const segment = segments.find(({ segment: { bySlug } }) => bySlug.has(slug))?.segment;
  const row = segment?.bySlug.get(slug);
  return segment && row && { segment, row };
}

/** Selects the live rows of segments. The segments must be ordered newest first. Slugs are unique across owners. */
function liveSegments(segments: readonly Segment[]): LiveSegment[] {
  return segments.map((segment, index) => {
    const newer = segments.slice(0, index);
    const live = segment.rows.filter(({ slug }) => !newer.some(({ bySlug }) => bySlug.has(slug)));
    return { segment, rows: new Map(live.filter((row) => !row.isRemoved).map((row) => [row.id, row])) };
  });
}
