import { createHash } from "node:crypto";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { type CacheTag, dropTag, fileTag, ownerTag } from "../http/response.ts";

/** An object that the edge caches: a drop with all its versions, or a file. */
export type CachedObject =
  | { readonly kind: "page"; readonly slug: string; readonly namespace: string }
  | { readonly kind: "file"; readonly id: string; readonly namespace: string };

/** Request to invalidate cache tags. CloudFront ignores repeated requests with the same reference. */
export interface Invalidation {
  /** Items in CloudFront's format: `#` and a tag. In queue messages from earlier releases, the items are paths. */
  readonly items: readonly string[];
  readonly reference: string;
}

/** An invalidation in the queue. */
export interface PostponedInvalidation extends Invalidation {
  /** Number of times that CloudFront refused the invalidation because too many were in progress. */
  readonly refusals: number;
}

/**
 * Returns CloudFront's notation for a tag. It selects every response with the tag, on all hosts and paths, and "regardless of
 * associated cookies, headers, or query string parameters"; see "What you need to know when invalidating tags", Amazon CloudFront developer
 * guide.
 */
export function tagItem(tag: CacheTag): string {
  return `#${tag}`;
}

/** Returns the tag of a cached object. */
export function tagOf(kept: CachedObject): CacheTag {
  return kept.kind === "page" ? dropTag(kept.slug) : fileTag(kept);
}

/**
 * Maximum number of one owner's drops and files in an invalidation. If more have changed, all responses of the owner are invalidated by one
 * tag; see docs/adr/0017-edge-caching.md.
 */
export const tagsPerOwnerMax = 20;

/**
 * Returns the tags of cached objects, in CloudFront's notation. If many objects have the same owner, the owner's tag replaces their tags.
 */
export function itemsOf(all: readonly CachedObject[]): string[] {
  const tagsOfOwners = Map.groupBy(all, ({ namespace }) => namespace);
  const tags = [...tagsOfOwners].flatMap(([namespace, kept]) => {
    const own = [...new Set(kept.map(tagOf))];
    return own.length > tagsPerOwnerMax ? [ownerTag(namespace)] : own;
  });
  return tags.map(tagItem);
}

/**
 * Maximum number of items in one invalidation: a third of the 3,000 that may be in progress, so that other invalidations fit too; see
 * "Concurrent invalidation request maximum", Amazon CloudFront developer guide.
 */
export const itemsPerInvalidationMax = 1_000;

/** Creates the second invalidation, which removes responses that were created before the first invalidation but cached after it. */
export function repeatOf({ items, reference }: Invalidation): PostponedInvalidation {
  return { items, reference: `${reference}-again`, refusals: 0 };
}

/**
 * Returns the delay before the second invalidation, at least `delaySeconds`. The delay ends at a multiple of `delaySeconds`, so that
 * invalidations from about the same time are combined.
 */
export function secondsUntilRepeat(nowMs: number, delaySeconds: number): number {
  const earliest = nowMs / 1000 + delaySeconds;
  return Math.ceil(Math.ceil(earliest / delaySeconds) * delaySeconds - nowMs / 1000);
}

/** Number of refusals by CloudFront after which an invalidation is left to the queue's own retries and dead-letter queue. */
export const refusalsMax = 10;

/** Returns the delay before a refused invalidation is retried: from 5 seconds to 5 minutes. */
export function secondsAfterRefusal(refusals: number): number {
  return Math.min(5 * 2 ** (refusals - 1), 300);
}

/** Serializes an invalidation as a queue message. */
export function toInvalidationMessage({ items, reference, refusals }: PostponedInvalidation): string {
  return JSON.stringify({ kind: "invalidation", items, reference, refusals });
}

/**
 * Parses an invalidation from a queue message. Accepts messages of earlier releases, which have paths in place of tags, or lack `kind` and
 * `refusals`.
 *
 * @throws Error if the message is not an invalidation
 */
export function parseInvalidationMessage(text: string): PostponedInvalidation {
  const { kind = "invalidation", paths, items = paths, reference, refusals = 0 } = Object(JSON.parse(text));
  const isItem = (item: unknown) => typeof item === "string" && /^[#/]/.test(item);
  const isInvalidation =
    kind === "invalidation" &&
    Array.isArray(items) &&
    items.length > 0 &&
    items.every(isItem) &&
    typeof reference === "string" &&
    Number.isInteger(refusals);
  if (!isInvalidation) throw new Error("The queue message does not contain an invalidation.");
  return { items, reference, refusals };
}

/** Combines the items into as few invalidations as CloudFront accepts. The same causes and items always give the same invalidations. */
export function invalidationsOf(
  items: readonly string[],
  causes: readonly (string | undefined)[],
): Invalidation[] {
  const distinct = [...new Set(items)];
  const count = Math.ceil(distinct.length / itemsPerInvalidationMax);
  return Array.from({ length: count }, (_, index) => {
    const some = distinct.slice(index * itemsPerInvalidationMax, (index + 1) * itemsPerInvalidationMax);
    const reference = createHash("sha256")
      .update(JSON.stringify([causes, some]))
      .digest("hex");
    return { items: some, reference };
  });
}

/** Returns the number of seconds after which every response that is now in progress has ended or timed out. */
export function repeatDelaySeconds(): number {
  return Number(readEnvironment(environmentNames.invalidationDelaySeconds));
}
