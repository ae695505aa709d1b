import { exactPathsMax, type KeptByEdge, pathsOf } from "../../functions/background/invalidation.ts";

/** What makes the edge forget, and how often in a month. */
export interface Forgetting {
  readonly locks: number;
  readonly deletions: number;
  readonly versionDeletions: number;
  readonly fileDeletions: number;
  readonly withoutDomain: boolean;
}

/** Paths of a month that cost nothing: "The first 1,000 invalidation paths that you submit per month are free". */
export const freePaths = 1_000;

/** The edge is told at once, and once more a minute later. */
const timesTold = 2;
const minutesPerMonth = 30 * 24 * 60;

const examples: Readonly<Record<KeptByEdge["kind"], KeptByEdge>> = {
  page: { kind: "page", slug: "Ab3dE6g", namespace: "ada" },
  file: { kind: "file", id: "Ab3dE6g", namespace: "ada" },
};

/** How many paths one lock or deletion comes to in the end. */
export function pathsPerEvent(
  kind: KeptByEdge["kind"],
  { withoutDomain }: Pick<Forgetting, "withoutDomain">,
): number {
  return timesTold * pathsOf(examples[kind], { ownersHaveHosts: !withoutDomain }).length;
}

/** How many paths a month comes to, where each event comes alone. */
export function invalidationPaths(traffic: Forgetting): number {
  const pages = traffic.locks + traffic.deletions + traffic.versionDeletions;
  return pages * pathsPerEvent("page", traffic) + traffic.fileDeletions * pathsPerEvent("file", traffic);
}

/** The same for drops that are deleted evenly over a month: second invalidations of a minute are one, in one path. */
export function pathsOfEvenDeletions(drops: number, setup: Pick<Forgetting, "withoutDomain">): number {
  const once = (drops * pathsPerEvent("page", setup)) / timesTold;
  const isOnePathAMinute = once / minutesPerMonth > exactPathsMax;
  return once + (isOnePathAMinute ? minutesPerMonth : once);
}

/** The same at most for drops that are deleted all at once: a path for each full batch of the stream, each told twice. */
export function pathsOfMassDeletion(drops: number, recordsPerBatch: number): number {
  return timesTold * Math.ceil(drops / recordsPerBatch);
}
