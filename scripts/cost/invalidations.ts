import type { Traffic } from "./traffic.ts";

/** The changes of a month that invalidate the edge's cache. */
type Changes = Pick<Traffic, "locks" | "deletions" | "versionDeletions" | "fileDeletions">;

/** The free tags of a month: "The first 1,000 invalidation paths that you submit per month are free". A tag counts as a path. */
export const freeTags = 1_000;

/** The tags of one lock or deletion: that of the drop or file, at once and again a minute later. */
export const tagsPerEvent = 2;

/** Counts the tags of a month in which each event comes alone. */
export function invalidatedTags(traffic: Changes): number {
  const { locks, deletions, versionDeletions, fileDeletions } = traffic;
  return tagsPerEvent * (locks + deletions + versionDeletions + fileDeletions);
}

/** Counts the tags when drops of one owner are deleted at once: the owner's tag for each full batch of the stream. */
export function tagsOfMassDeletion(drops: number, recordsPerBatch: number): number {
  return tagsPerEvent * Math.ceil(drops / recordsPerBatch);
}
