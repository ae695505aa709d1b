import { blobObjectKey } from "../blobs/blob.ts";
import { ownerPath } from "../platform/site.ts";

/** What the edge may keep: a page in all its versions, or a file. */
export type KeptByEdge =
  | { readonly kind: "page"; readonly slug: string; readonly namespace: string }
  | { readonly kind: "file"; readonly id: string; readonly namespace: string };

/** What the edge is to forget. The same reference again is the same invalidation, and is done once. */
export interface Invalidation {
  readonly paths: readonly string[];
  readonly reference: string;
}

/** An invalidation that waits in the queue. */
export interface PostponedInvalidation extends Invalidation {
  /** How often CloudFront has refused it because too many are in progress. */
  readonly refusals: number;
}

/**
 * The paths by which the edge forgets something, each for itself: paths are paid for, and one with a wildcard empties
 * the caches of others.
 *
 * A page's cache key has its path and headers, and neither query nor cookie, so one path is a page on all hosts and in
 * all versions: "When you invalidate a file, CloudFront invalidates every cached version of the file regardless of the
 * header values". Where the viewer-request function changes a path, which it does for files and below `/@`, both are to
 * be named: "The URI in the viewer request" and "The URI after the function changed it". Amazon CloudFront developer
 * guide, "What you need to know when invalidating files".
 */
export function pathsOf(kept: KeptByEdge, { ownersHaveHosts }: { readonly ownersHaveHosts: boolean }) {
  const below = ownersHaveHosts ? "" : ownerPath(kept.namespace);
  switch (kept.kind) {
    case "page":
      // On the service's own host there is the page too.
      return [...new Set([`/p/${kept.slug}/raw`, `${below}/p/${kept.slug}/raw`])];
    case "file":
      return [`${below}/b/${kept.id}`, `/${blobObjectKey(kept.namespace, kept.id)}`];
  }
}

/** So many paths are named each; docs/adr/0017-the-edge-is-told-twice.md has the arithmetic. */
export const exactPathsMax = 20;

/** The same paths once each, or where there are many a wildcard in their place: it is one path, and forgets more. */
export function shortenPaths(paths: readonly string[]): string[] {
  const distinct = [...new Set(paths)];
  const pages = distinct.filter(isPagePath);
  const others = distinct.filter((path) => !isPagePath(path));
  const isOneForPages = pages.includes(allPages) || pages.length > exactPathsMax;
  const shorter = [...(isOneForPages ? [allPages] : pages), ...others];
  return shorter.includes(everything) || shorter.length > exactPathsMax ? [everything] : shorter;
}

/**
 * The same in one path with a wildcard: paths with and without one have quotas of their own. Undefined where there is
 * one among the paths already. Amazon CloudFront developer guide, "Concurrent invalidation request maximum".
 */
export function withWildcard({ paths, reference }: Invalidation): Invalidation | undefined {
  if (paths.some((path) => path.endsWith("*"))) return undefined;
  return {
    paths: [paths.every(isPagePath) ? allPages : everything],
    reference: `${reference}-wildcard`,
  };
}

/** The same invalidation once more: responses that were under way may have come into the edge's cache after the first. */
export function repeatOf({ paths, reference }: Invalidation): PostponedInvalidation {
  return { paths, reference: `${reference}-again`, refusals: 0 };
}

/**
 * How long a second invalidation waits: for the next moment that is a multiple of the delay, the whole delay away at
 * least. So those of about the same time come out together, and are one.
 */
export function secondsUntilRepeat(nowMs: number, delaySeconds: number): number {
  const earliest = nowMs / 1000 + delaySeconds;
  return Math.ceil(Math.ceil(earliest / delaySeconds) * delaySeconds - nowMs / 1000);
}

/** Refusals after which an invalidation is left to the queue's own tries, and then to its dead letters. */
export const refusalsMax = 10;

/** How long a refused invalidation waits: 5 s at first, 5 minutes in the end. */
export function secondsAfterRefusal(refusals: number): number {
  return Math.min(5 * 2 ** (refusals - 1), 300);
}

/** An invalidation as the queue carries it. */
export function toInvalidationMessage({ paths, reference, refusals }: PostponedInvalidation): string {
  return JSON.stringify({ kind: "invalidation", paths, reference, refusals });
}

/**
 * The invalidation that a message of the queue tells of; earlier versions of the service wrote no `kind` and no
 * `refusals`.
 *
 * @throws Error when the message is none.
 */
export function parseInvalidationMessage(text: string): PostponedInvalidation {
  const { kind = "invalidation", paths, reference, refusals = 0 } = Object(JSON.parse(text));
  const isPath = (path: unknown) => typeof path === "string" && path.startsWith("/");
  const isInvalidation =
    kind === "invalidation" &&
    Array.isArray(paths) &&
    paths.length > 0 &&
    paths.every(isPath) &&
    typeof reference === "string" &&
    Number.isInteger(refusals);
  if (!isInvalidation) throw new Error("The message is no invalidation.");
  return { paths, reference, refusals };
}

const allPages = "/p/*";
const everything = "/*";

function isPagePath(path: string): boolean {
  return path.startsWith("/p/");
}
