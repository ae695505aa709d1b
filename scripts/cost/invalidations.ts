/** What makes the edge forget, and how often in a month. */
export interface Forgetting {
  readonly locks: number;
  readonly deletions: number;
  readonly versionDeletions: number;
  readonly fileDeletions: number;
}

/** Tags of a month that cost nothing: "The first 1,000 invalidation paths that you submit per month are free", and a tag is a path. */
export const freeTags = 1_000;

/** How many tags one lock or deletion comes to: the drop's or the file's, at once and once more a minute later. */
export const tagsPerEvent = 2;

/** How many tags a month comes to, where each event comes alone. */
export function invalidatedTags(traffic: Forgetting): number {
  const { locks, deletions, versionDeletions, fileDeletions } = traffic;
  return tagsPerEvent * (locks + deletions + versionDeletions + fileDeletions);
}

/** The same for drops of one owner that are deleted all at once: the owner's tag for each full batch of the stream. */
export function tagsOfMassDeletion(drops: number, recordsPerBatch: number): number {
  return tagsPerEvent * Math.ceil(drops / recordsPerBatch);
}
