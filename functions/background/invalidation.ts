import { createHash } from "node:crypto";
import {
  CloudFrontClient,
  CreateInvalidationCommand,
  TooManyInvalidationsInProgress,
} from "@aws-sdk/client-cloudfront";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { SQSRecord } from "aws-lambda";
import { environmentNames, readEnvironment } from "../http/environment.ts";
import { type CacheTag, dropTag, fileTag, ownerTag } from "../http/response.ts";
import { timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";
import type { TableChange } from "./table-change.ts";
import type { Job } from "./worker.ts";

/** Objects that the edge caches: a drop with all its versions, or a file. */
export type CachedObject =
  | { readonly kind: "page"; readonly slug: string; readonly namespace: string }
  | { readonly kind: "file"; readonly id: string; readonly namespace: string };

/** Request to invalidate cache tags. CloudFront runs a repeated reference once. */
export interface Invalidation {
  /** As CloudFront takes them: `#` and a tag. In messages of earlier versions of the service they are paths. */
  readonly items: readonly string[];
  readonly reference: string;
}

/** An invalidation that waits in the queue. */
export interface PostponedInvalidation extends Invalidation {
  /** Refusals by CloudFront because too many invalidations are in progress. */
  readonly refusals: number;
}

/**
 * The item that invalidates a tag: every response with that tag, "regardless of associated cookies, headers, or query string
 * parameters", on all hosts and under all spellings. Amazon CloudFront developer guide, "What you need to know when invalidating
 * tags".
 */
export function tagItem(tag: CacheTag): string {
  return `#${tag}`;
}

/** The tag of what the edge keeps. */
export function tagOf(kept: CachedObject): CacheTag {
  return kept.kind === "page" ? dropTag(kept.slug) : fileTag(kept);
}

/** More pages and files of one owner than this are forgotten with all of the owner's; docs/adr/0017-the-edge-is-told-twice.md. */
export const tagsPerOwnerMax = 20;

/** The items that invalidate all of these: one for each, or one for an owner who has many among them. */
export function itemsOf(all: readonly CachedObject[]): string[] {
  const tagsOfOwners = Map.groupBy(all, ({ namespace }) => namespace);
  const tags = [...tagsOfOwners].flatMap(([namespace, kept]) => {
    const own = [...new Set(kept.map(tagOf))];
    return own.length > tagsPerOwnerMax ? [ownerTag(namespace)] : own;
  });
  return tags.map(tagItem);
}

/**
 * The items of one invalidation at most: a third of the 3,000 that may be in progress, so that a large one fits beside others. Amazon
 * CloudFront developer guide, "Concurrent invalidation request maximum".
 */
export const itemsPerInvalidationMax = 1_000;

/** The same invalidation once more: responses that were under way may have come into the edge's cache after the first. */
export function repeatOf({ items, reference }: Invalidation): PostponedInvalidation {
  return { items, reference: `${reference}-again`, refusals: 0 };
}

/**
 * Delay before the second invalidation. It ends at a multiple of the delay, at least one whole delay away, so that
 * invalidations of about the same time join.
 */
export function secondsUntilRepeat(nowMs: number, delaySeconds: number): number {
  const earliest = nowMs / 1000 + delaySeconds;
  return Math.ceil(Math.ceil(earliest / delaySeconds) * delaySeconds - nowMs / 1000);
}

/** Refusals after which an invalidation is left to the queue's own tries, and then to its dead letters. */
export const refusalsMax = 10;

/** Delay after a refused invalidation: 5 s at first, 5 minutes at most. */
export function secondsAfterRefusal(refusals: number): number {
  return Math.min(5 * 2 ** (refusals - 1), 300);
}

/** An invalidation as the queue carries it. */
export function toInvalidationMessage({ items, reference, refusals }: PostponedInvalidation): string {
  return JSON.stringify({ kind: "invalidation", items, reference, refusals });
}

/**
 * The invalidation in a message of the queue. Earlier versions of the service wrote `paths`, which CloudFront takes beside tags, and
 * the earliest no `kind` and no `refusals`.
 *
 * @throws Error when the message is none.
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
  if (!isInvalidation) throw new Error("The message is no invalidation.");
  return { items, reference, refusals };
}

const cloudFront = withoutUnusedMiddleware(
  new CloudFrontClient({
    maxAttempts: 4,
    requestHandler: timeouts(10_000),
  }),
);

/** CloudFront's cache of the service's responses. */
export const edgeCache = {
  /**
   * Makes the edge forget what has one of these tags, soon: CloudFront does not say when. The same reference again is the same
   * invalidation: trying again starts no second one. Amazon CloudFront API reference, "CreateInvalidation".
   *
   * @throws TooManyInvalidationsInProgress
   */
  async invalidate({ items, reference }: Invalidation): Promise<void> {
    await cloudFront.send(
      new CreateInvalidationCommand({
        DistributionId: readEnvironment(environmentNames.distributionId),
        InvalidationBatch: {
          CallerReference: reference,
          Paths: { Quantity: items.length, Items: [...items] },
        },
      }),
    );
  },
};

/** Recognizes a refusal because too many invalidations are in progress. */
export function isTooManyInProgress(error: unknown): boolean {
  return error instanceof TooManyInvalidationsInProgress;
}

const sqs = withoutUnusedMiddleware(
  new SQSClient({
    maxAttempts: 4,
    // Else the address inside the queue's URL would win over a region's or a local endpoint.
    useQueueUrlAsEndpoint: false,
    requestHandler: timeouts(10_000),
  }),
);

/** Puts an invalidation off. */
export async function invalidateLater(
  invalidation: PostponedInvalidation,
  delaySeconds: number,
): Promise<void> {
  await sendLater(toInvalidationMessage(invalidation), delaySeconds);
}

/** Puts a message into the queue that comes out so many seconds later, 900 at most. */
export async function sendLater(message: string, delaySeconds: number): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: readEnvironment(environmentNames.followUpsQueueUrl),
      MessageBody: message,
      DelaySeconds: delaySeconds,
    }),
  );
}

/** Seconds until every response that is under way now has ended, by the stack's timeouts. */
export function repeatDelaySeconds(): number {
  return Number(readEnvironment(environmentNames.invalidationDelaySeconds));
}

/**
 * Makes the edge forget this in one invalidation, and once more when no response is under way any more that was made before. The same
 * changes again are the same invalidation.
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

/** Invalidations of these items, as few as CloudFront takes. The same causes and items again are the same invalidations. */
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

/** As few invalidations for all of these; one alone, or one several times, keeps its reference and so is done once. */
export function mergeInvalidations(all: readonly Invalidation[]): Invalidation[] {
  const [first, ...others] = all;
  if (first !== undefined && others.every(({ reference }) => reference === first.reference)) return [first];
  const references = [...new Set(all.map(({ reference }) => reference))].sort();
  // In one order, or else the same again would be another.
  return invalidationsOf(all.flatMap(({ items }) => items).sort(), references);
}

/**
 * Tells the edge what to forget. Where CloudFront has too many invalidations in progress, it is told again soon: nothing behind it
 * has to wait.
 *
 * @throws Error when it was refused too often already, which leaves it to the queue's own tries.
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
