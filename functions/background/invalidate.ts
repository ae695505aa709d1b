import { createHash } from "node:crypto";
import type { SQSRecord } from "aws-lambda";
import { edgeCache, isTooManyInProgress } from "./edge-cache.ts";
import { invalidateLater, repeatDelaySeconds } from "./follow-up-queue.ts";
import {
  type Invalidation,
  type KeptByEdge,
  type PostponedInvalidation,
  parseInvalidationMessage,
  refusalsMax,
  repeatOf,
  secondsAfterRefusal,
  secondsUntilRepeat,
  shortenPaths,
  withWildcard,
} from "./invalidation.ts";
import type { Job } from "./job.ts";
import type { TableChange } from "./table-change.ts";

/**
 * Makes the edge forget this in one invalidation, and once more when no response is under way any more that was made before. The same
 * changes again are the same invalidation.
 */
export async function invalidateNowAndLater(
  kept: readonly KeptByEdge[],
  causes: readonly TableChange[],
): Promise<void> {
  const paths = kept.flatMap(edgeCache.pathsOf);
  if (paths.length === 0) return;
  const first = invalidationOf(
    paths,
    causes.map(({ record }) => record.dynamodb?.SequenceNumber),
  );
  await tellEdge({ ...first, refusals: 0 });
  await invalidateLater(repeatOf(first), secondsUntilRepeat(Date.now(), repeatDelaySeconds()));
}

/** One invalidation of these paths. The same causes and paths again are the same invalidation. */
export function invalidationOf(
  paths: readonly string[],
  causes: readonly (string | undefined)[],
): Invalidation {
  const shorter = shortenPaths(paths);
  const reference = createHash("sha256")
    .update(JSON.stringify([causes, shorter]))
    .digest("hex");
  return { paths: shorter, reference };
}

/** One invalidation for all of these; one alone, or one several times, keeps its reference and so is done once. */
export function mergeInvalidations(all: readonly Invalidation[]): Invalidation {
  const [first, ...others] = all;
  if (first !== undefined && others.every(({ reference }) => reference === first.reference)) return first;
  const references = [...new Set(all.map(({ reference }) => reference))].sort();
  // In one order, or else the same again would be another.
  return invalidationOf(all.flatMap(({ paths }) => paths).sort(), references);
}

/**
 * Tells the edge what to forget. Where CloudFront has too many invalidations in progress, it is told in one path with a
 * wildcard, and where that is one too many as well, soon again: nothing behind it has to wait.
 *
 * @throws Error when it was refused too often already, which leaves it to the queue's own tries.
 */
export async function tellEdge({ refusals, ...invalidation }: PostponedInvalidation): Promise<void> {
  if (await isTaken(invalidation)) return;
  const wildcard = withWildcard(invalidation);
  if (wildcard !== undefined && (await isTaken(wildcard))) return;
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

/**
 * Tells the edge at once of all invalidations that messages tell of: second ones, which waited until no response is under
 * way any more that was made before, and those that CloudFront has refused.
 */
export function postponedInvalidations(messages: readonly SQSRecord[]): Job<SQSRecord>[] {
  const read = messages.map((message) => ({ message, ...readMessage(message) }));
  const readable = read.flatMap(({ message, invalidation }) =>
    invalidation ? [{ message, invalidation }] : [],
  );
  return [
    ...read.flatMap(({ message, error }) => (error ? [failure(message, error)] : [])),
    ...(readable.length > 0 ? [merged(readable)] : []),
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
): Job<SQSRecord> {
  const all = read.map(({ invalidation }) => invalidation);
  const refusals = Math.max(...all.map((one) => one.refusals));
  return {
    sources: read.map(({ message }) => message),
    run: () => tellEdge({ ...mergeInvalidations(all), refusals }),
  };
}
