import type { SQSRecord } from "aws-lambda";
import { edgeCache, isTooManyInProgress } from "./edge-cache.ts";
import { sendLater } from "./follow-up-queue.ts";
import {
  type CachedObject,
  type Invalidation,
  invalidationsOf,
  itemsOf,
  type PostponedInvalidation,
  parseInvalidationMessage,
  refusalsMax,
  repeatDelaySeconds,
  repeatOf,
  secondsAfterRefusal,
  secondsUntilRepeat,
  toInvalidationMessage,
} from "./invalidation.ts";
import type { TableChange } from "./table-change.ts";
import type { Job } from "./worker.ts";

/**
 * Invalidates cached objects now, and again after all responses that are now in progress have ended. Repeating the call for the same
 * changes starts no further invalidations.
 */
export async function invalidateNowAndLater(
  kept: readonly CachedObject[],
  causes: readonly TableChange[],
): Promise<void> {
  const sequenceNumbers = causes.map(({ record }) => record.dynamodb?.SequenceNumber);
  for (const first of invalidationsOf(itemsOf(kept), sequenceNumbers)) {
    await invalidateCache({ ...first, refusals: 0 });
    const delaySeconds = secondsUntilRepeat(Date.now(), repeatDelaySeconds());
    await sendLater(toInvalidationMessage(repeatOf(first)), delaySeconds);
  }
}

/** Combines several invalidations. A single invalidation keeps its reference, so that a retry does not start another one. */
export function mergeInvalidations(all: readonly Invalidation[]): Invalidation[] {
  const [first, ...others] = all;
  if (first !== undefined && others.every(({ reference }) => reference === first.reference)) return [first];
  const references = [...new Set(all.map(({ reference }) => reference))].sort();
  // The items are sorted, so that their order does not change the invalidation's reference.
  return invalidationsOf(all.flatMap(({ items }) => items).sort(), references);
}

/**
 * Invalidates cached responses at the edge. Queues the invalidation again if CloudFront has too many in progress.
 *
 * @throws Error if CloudFront has refused the invalidation too often. The queue then retries the message
 */
async function invalidateCache({ refusals, ...invalidation }: PostponedInvalidation): Promise<void> {
  try {
    await edgeCache.invalidate(invalidation);
  } catch (error) {
    if (!isTooManyInProgress(error)) throw error;
    if (refusals >= refusalsMax)
      throw new Error(
        `CloudFront has refused an invalidation ${refusals + 1} times: too many are in progress.`,
      );
    const message = toInvalidationMessage({ ...invalidation, refusals: refusals + 1 });
    await sendLater(message, secondsAfterRefusal(refusals + 1));
  }
}

/** Creates jobs for queued invalidations: delayed second invalidations, and invalidations that CloudFront refused. */
export function postponedInvalidations(messages: readonly SQSRecord[]): Job<SQSRecord>[] {
  const failures: Job<SQSRecord>[] = [];
  const sources: SQSRecord[] = [];
  const all: PostponedInvalidation[] = [];
  for (const message of messages) {
    try {
      all.push(parseInvalidationMessage(message.body));
      sources.push(message);
    } catch (error) {
      failures.push({ sources: [message], run: () => Promise.reject(error) });
    }
  }
  if (all.length === 0) return failures;
  const refusals = Math.max(...all.map((one) => one.refusals));
  return [
    ...failures,
    ...mergeInvalidations(all).map((one) => ({ sources, run: () => invalidateCache({ ...one, refusals }) })),
  ];
}
