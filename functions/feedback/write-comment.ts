import { type StoredResponse, transactOnce } from "../http/idempotency.ts";
import type { Act } from "../table/audit.ts";
import { keys } from "../table/keys.ts";
import { findItems, type Item, RetryableError, retryConflicts } from "../table/table.ts";
import { isUnchanged, type TransactionWrite } from "../table/table-writes.ts";
import type { Comment, FeedbackCounts, NewComment, Thread } from "./feedback.ts";
import { toCommentItem, toFeedbackCounts } from "./items.ts";

const secondsPerDay = 24 * 60 * 60;

/** The drop that something is written about. */
export interface CommentContext {
  readonly ownerId: string;
  readonly slug: string;
}

/** Nothing is written about a drop that is gone, or another account's by now: nobody would remove it. */
export function ownerCondition({ ownerId, slug }: CommentContext): TransactionWrite {
  return { check: keys.drop(ownerId, slug), condition: "attribute_exists(pk)" };
}

/** The next number of an account, and where the comment is that has it. */
export function numberWrites(
  ownerId: string,
  { slug, thread, comment, sequence, createdAtMs }: Comment,
): TransactionWrite[] {
  const last = sequence - 1;
  return [
    {
      key: keys.feedbackLog(ownerId),
      update: "SET #sequence = :next, writtenAtMs = :now",
      condition: isUnchanged("#sequence", last === 0 ? undefined : last),
      names: { "#sequence": "sequence" },
      values: { ":next": sequence, ":now": createdAtMs, ...(last === 0 ? {} : { ":seen": last }) },
    },
    {
      put: { ...keys.feedbackEntry(ownerId, sequence), slug, thread, comment },
      condition: "attribute_not_exists(pk)",
    },
  ];
}

/** Keeps that a form was sent, for a day. */
export function sentFormWrite(slug: string, formId: string, atMs: number): TransactionWrite {
  return {
    put: { ...keys.sentForm(slug, formId), ttl: Math.ceil(atMs / 1000) + secondsPerDay },
    condition: "attribute_not_exists(pk)",
  };
}

/** A thread as it was seen becomes what it is to be. */
export function threadWrite(before: Thread, after: Thread): TransactionWrite {
  return {
    key: keys.thread(after.slug, after.thread),
    update: "SET #state = :state, commentCount = :count, updatedAtMs = :now",
    condition: "#state = :seenState AND commentCount = :seenCount",
    names: { "#state": "state" },
    values: {
      ":state": after.state,
      ":count": after.commentCount,
      ":now": after.updatedAtMs,
      ":seenState": before.state,
      ":seenCount": before.commentCount,
    },
  };
}

/**
 * Updates a drop's counts of threads.
 *
 * @param lastThread number of the last known thread, when another begins
 */
export function countsWrite(slug: string, added: FeedbackCounts, lastThread?: number): TransactionWrite {
  const adds = "ADD threadCount :threads, openCount :open";
  const values = { ":threads": added.threads, ":open": added.openThreads };
  const key = keys.feedback(slug);
  if (lastThread === undefined) return { key, update: adds, values };
  return {
    key,
    update: `SET lastThread = :next ${adds}`,
    condition: isUnchanged("lastThread", lastThread === 0 ? undefined : lastThread),
    values: { ...values, ":next": lastThread + 1, ...(lastThread === 0 ? {} : { ":seen": lastThread }) },
  };
}

/** The id by which a write that is sent again is made once. */
export interface WriteOnceOptions {
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
  { ownerId, slug }: CommentContext,
  act: Act,
  { formId, keep = () => undefined }: WriteOnceOptions,
  plan: (seen: Seen) => Promise<(Written & { readonly writes: readonly TransactionWrite[] }) | undefined>,
): Promise<WriteOutcome> {
  return retryConflicts(async () => {
    const formKeys = formId === undefined ? [] : [keys.sentForm(slug, formId)];
    const find = await findItems([keys.feedback(slug), keys.feedbackLog(ownerId), ...formKeys]);
    if (formKeys.some(find)) return { kind: "repeated" };
    const counts = toFeedbackCounts(find(keys.feedback(slug)));
    const planned = await plan({ counts, sequence: lastSequenceOf(find(keys.feedbackLog(ownerId))) });
    if (planned === undefined) return { kind: "missing" };
    const { thread, comment, writes } = planned;
    const subject = { ownerId, slug, thread: thread.thread, comment: comment.comment };
    const outcome = await transactOnce(
      {
        owner: ownerCondition({ ownerId, slug }),
        numbers: numberWrites(ownerId, comment),
        comment: { put: toCommentItem(comment, ownerId), condition: "attribute_not_exists(pk)" },
        writes,
        form: formId === undefined ? undefined : sentFormWrite(slug, formId, comment.createdAtMs),
      },
      { act, subject, kept: keep({ thread, comment }) },
    );
    if (outcome.committed) return { kind: "written", written: { thread, comment } };
    if (outcome.failed.has("owner")) return { kind: "missing" };
    throw tooManyWriters();
  });
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

/** Error of an attempt that lost a race with another writer; `retryConflicts` tries again. */
export function tooManyWriters(): RetryableError {
  return new RetryableError("Others are commenting at the same time. Try again.");
}
