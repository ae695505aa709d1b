import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { AwsError } from "../aws-error.ts";

/** Input of CreateInvalidation. */
export interface InvalidationBatch {
  readonly callerReference: string;
  /** Cache tags, without the leading `#`. */
  readonly tags: readonly string[];
}

/** The edge whose cache the API invalidates. */
export interface InvalidatedEdge {
  readonly distributionId: string;
  readonly invalidate: (tags: readonly string[]) => void;
}

/** An accepted invalidation. */
export interface Invalidation extends InvalidationBatch {
  readonly id: string;
  readonly createdAt: string;
  readonly isInProgress: boolean;
}

/**
 * Starts an invalidation, which takes effect later. A repeated request returns the existing invalidation.
 *
 * @throws AwsError TooManyInvalidationsInProgress, InvalidationBatchAlreadyExists
 */
export type CreateInvalidation = (batch: InvalidationBatch) => Invalidation;

/** Maximum number of tags in running invalidations; see "Concurrent invalidation request maximum", where each tag counts as a file. */
const TAGS_MAX = 3_000;
/** Maximum number of stored CallerReferences. CloudFront does not document how long it stores them. */
const REFERENCES_MAX = 1_000;

/** Tracks a distribution's invalidations. An invalidation is in progress for `delayMs`, then the edge removes the entries. */
export function createInvalidations(edge: InvalidatedEdge, delayMs: number): CreateInvalidation {
  const known = new Map<string, Invalidation>();

  function refuseTooMany(tags: readonly string[]): void {
    const inProgress = [...known.values()].filter((one) => one.isInProgress).flatMap((one) => one.tags);
    const count = inProgress.length + tags.length;
    if (count <= TAGS_MAX) return;
    const message = `At most ${TAGS_MAX} tags may be in progress; with these there would be ${count}.`;
    throw new AwsError("TooManyInvalidationsInProgress", 400, message);
  }

  function finish(invalidation: Invalidation): void {
    edge.invalidate(invalidation.tags);
    known.set(invalidation.callerReference, { ...invalidation, isInProgress: false });
    for (const [reference, { isInProgress }] of known) {
      if (known.size <= REFERENCES_MAX) break;
      if (!isInProgress) known.delete(reference);
    }
  }

  return (batch) => {
    const earlier = known.get(batch.callerReference);
    if (earlier) return sameOrThrow(earlier, batch);
    refuseTooMany(batch.tags);
    const id = `I${randomBytes(12).toString("hex").toUpperCase()}`;
    const createdAt = new Date().toISOString();
    const invalidation = { ...batch, id, createdAt, isInProgress: true };
    known.set(batch.callerReference, invalidation);
    // The process does not wait for this timer, because the edge's cache ends with the process.
    if (delayMs > 0) setTimeout(() => finish(invalidation), delayMs).unref();
    else finish(invalidation);
    return invalidation;
  };
}

/** Returns the existing invalidation if its tags equal the new tags, and otherwise throws; see CallerReference in "CreateInvalidation". */
function sameOrThrow(earlier: Invalidation, batch: InvalidationBatch): Invalidation {
  if (isDeepStrictEqual(earlier.tags, batch.tags)) return earlier;
  const message = `An invalidation with the CallerReference ${batch.callerReference} and different items already exists.`;
  throw new AwsError("InvalidationBatchAlreadyExists", 400, message);
}
