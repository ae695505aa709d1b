import type { SQSRecord } from "aws-lambda";
import { type PostponedInvalidation, parseInvalidationMessage } from "../domain/invalidation.ts";
import { mergeInvalidations, tellEdge } from "./invalidation.ts";
import type { Job } from "./jobs.ts";

/**
 * Tells the edge at once of all invalidations that messages tell of: second ones, which waited until no answer is under
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
