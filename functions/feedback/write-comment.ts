import type { Act } from "../platform/audit.ts";
import { waitForOthers } from "../platform/back-off.ts";
import { ApiError } from "../platform/errors.ts";
import { type StoredResponse, transactOnce } from "../platform/idempotency-store.ts";
import { type Key, keys } from "../platform/keys.ts";
import { getItems, type Item } from "../platform/table.ts";
import type { TransactionWrite } from "../platform/table-writes.ts";
import type { Comment, NewComment, Thread } from "./feedback.ts";
import { toCommentItem, toFeedbackCounts } from "./items.ts";
import { type About, isStillOf, numberWrites, sentFormWrite } from "./thread-writes.ts";

/** Races with other writers that one write stands before it gives up. */
export const attemptsMax = 60;

/** The id by which a write that is sent again is made once. */
export interface WrittenOnce {
  /** The id in the form that was sent. @default - it was no form */
  readonly formId?: string | undefined;
  /** The response to keep, of what was written. @default - none */
  readonly keep?: (written: Written) => StoredResponse | undefined;
}

/** A comment that was written, and its thread. */
export interface Written {
  readonly thread: Thread;
  readonly comment: Comment;
}

/**
 * The outcome of a write. `repeated`: the form was sent before, and what it said is there.
 * `missing`: the drop or the thread is gone.
 */
export type WriteOutcome =
  | { readonly kind: "written"; readonly written: Written }
  | { readonly kind: "repeated" }
  | { readonly kind: "missing" };

/** The counts that a writer has read; its write is conditional on them. */
interface Seen {
  readonly counts: ReturnType<typeof toFeedbackCounts>;
  readonly sequence: number;
}

/**
 * Writes a comment with what goes along. Its number is the one after the last that was seen, which no other writer has taken by
 * then: so numbers have no gaps, and who has read up to one has missed nothing before it.
 */
export async function writeComment(
  { ownerId, slug }: About,
  act: Act,
  { formId, keep = () => undefined }: WrittenOnce,
  plan: (seen: Seen) => Promise<(Written & { readonly writes: readonly TransactionWrite[] }) | undefined>,
): Promise<WriteOutcome> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    await waitForOthers(attempt);
    const items = await getItems([
      keys.feedback(slug),
      keys.feedbackLog(ownerId),
      ...(formId === undefined ? [] : [keys.sentForm(slug, formId)]),
    ]);
    if (formId !== undefined && at(items, keys.sentForm(slug, formId))) return { kind: "repeated" };
    const counts = toFeedbackCounts(at(items, keys.feedback(slug)));
    const planned = await plan({ counts, sequence: lastSequenceOf(at(items, keys.feedbackLog(ownerId))) });
    if (planned === undefined) return { kind: "missing" };
    const { thread, comment, writes } = planned;
    const subject = { ownerId, slug, thread: thread.thread, comment: comment.comment };
    const outcome = await transactOnce(
      [
        isStillOf({ ownerId, slug }),
        ...numberWrites(ownerId, comment),
        { put: toCommentItem(comment, ownerId), condition: "attribute_not_exists(pk)" },
        ...writes,
        ...(formId === undefined ? [] : [sentFormWrite(slug, formId, comment.createdAtMs)]),
      ],
      { act, subject, kept: keep({ thread, comment }) },
    );
    if (outcome.committed) return { kind: "written", written: { thread, comment } };
    if (outcome.failed.has(0)) return { kind: "missing" };
  }
  throw manyWriters();
}

/** The comment that a thread has got, with the number after the last that was seen. */
export function commentIn(
  { slug, thread, commentCount }: Thread,
  next: NewComment,
  { sequence }: Seen,
): Comment {
  const { author, text, version, atMs } = next;
  const place = { slug, thread, comment: commentCount, sequence: sequence + 1 };
  return { ...place, author, text, version, createdAtMs: atMs };
}

/** The number of the last comment that the row of an account's numbers tells of. */
export function lastSequenceOf(item: Item | undefined): number {
  return (item?.sequence ?? 0) as number;
}

function at(items: readonly Item[], { pk, sk }: Key): Item | undefined {
  return items.find((item) => item.pk === pk && item.sk === sk);
}

/** The refusal of a write that others were faster than all the time. */
export function manyWriters(): ApiError {
  return new ApiError("unavailable", {
    message: "Many are writing at once. Try again.",
    retryAfterSeconds: 1,
  });
}
