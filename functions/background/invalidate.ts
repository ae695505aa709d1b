import type { SQSRecord } from "aws-lambda";
import { edgeCache, isTooManyInProgress } from "./edge-cache.ts";
import { invalidateLater } from "./follow-up-queue.ts";
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
    await invalidateLater(repeatOf(first), secondsUntilRepeat(Date.now(), repeatDelaySeconds()));
  }
}

/** Combines several invalidations. A single invalidation keeps its reference, so that a retry does not start another one. */
export function mergeInvalidations(all: readonly Invalidation[]): Invalidation[] {
  const [first, ...others] = all;
  if (first !== undefined && others.every(({ reference }) => reference === first.reference)) return [first];
  const references = [...new Set(all.map(({ reference }) => reference))].sort();
  // Sorting gives the same items the same reference, regardless of their order.
  return invalidationsOf(all.flatMap(({ items }) => items).sort(), references);
}

/**
 * Invalidates cached responses at the edge. Queues the invalidation again if CloudFront has too many in progress.
 *
 * @throws Error if CloudFront has refused the invalidation too often. The queue then retries the message
 */
export async function invalidateCache({ refusals, ...invalidation }: PostponedInvalidation): Promise<void> {
  if (await isTaken(invalidation)) return;
  if (refusals >= refusalsMax)
    throw new Error(
      `CloudFront has refused an invalidation ${refusals + 1} times: too many are in progress.`,
    );
  await invalidateLater({ ...invalidation, refusals: refusals + 1 }, secondsAfterRefusal(refusals + 1));
}

async function isTaken(invalidation: Invalidation): Promise<boolean> {
  try {
    await edgeCache.invalidate(invalidation);
    return true;
  } catch (error) {
    if (isTooManyInProgress(error)) return false;
    throw error;
  }
}

/** Creates jobs for queued invalidations. An invalidation is queued as the delayed second one, or because CloudFront refused it. */
export function postponedInvalidations(messages: readonly SQSRecord[]): Job<SQSRecord>[] {
  const read = messages.map((message) => ({ message, ...readMessage(message) }));
  const readable = read.flatMap(({ message, invalidation }) =>
    invalidation ? [{ message, invalidation }] : [],
  );
  return [
    ...read.flatMap(({ message, error }) => (error ? [failure(message, error)] : [])),
    ...merged(readable),
  ];
}

function readMessage({ body }: SQSRecord): { invalidation?: PostponedInvalidation; error?: unknown } {
  try {
    return { invalidation: parseInvalidationMessage(body) };
  } catch (error) {
    return { error };
  }
}

function failure(message: SQSRecord, error: unknown): Job<SQSRecord> {
  return { sources: [message], run: () => Promise.reject(error) };
}

function merged(
  read: readonly { readonly message: SQSRecord; readonly invalidation: PostponedInvalidation }[],
): Job<SQSRecord>[] {
  if (read.length === 0) return [];
  const all = read.map(({ invalidation }) => invalidation);
  const refusals = Math.max(...all.map((one) => one.refusals));
  const sources = read.map(({ message }) => message);
  return mergeInvalidations(all).map((one) => ({
    sources,
    run: () => invalidateCache({ ...one, refusals }),
  }));
}
