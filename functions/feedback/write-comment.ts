import { type OwnedDrop, ownerCondition, sentFormWrite } from "../drops/reader-writes.ts";
import type { Act } from "../table/audit.ts";
import { type StoredResponse, transactOnce } from "../table/audit-trail.ts";
import { keys } from "../table/keys.ts";
import { findItems, type Item, RetryableError, retryConflicts } from "../table/table.ts";
import { isUnchanged, type TransactionWrite } from "../table/table-writes.ts";
import type { Comment, FeedbackCounts, NewComment, Thread } from "./feedback.ts";
import { toCommentItem, toFeedbackCounts } from "./items.ts";

/** Builds the writes that assign an account's next event number to a comment. */
function numberWrites(
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

/** Builds the write that updates a thread. The write fails if the thread has changed since it was read. */
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
 * Builds the write that adds to a drop's thread counts.
 *
 * @param lastThread number of the last existing thread, if the comment begins a new one
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

/** Options that make a write idempotent. */
export interface WriteOnceOptions {
  /** Id of the sent form. @default - no form was sent */
  readonly formId?: string | undefined;
  /** Creates the response to store for the written comment. @default - none */
  readonly keep?: (written: Written) => StoredResponse | undefined;
}

/** A written comment, and its thread. */
export interface Written {
  readonly thread: Thread;
  readonly comment: Comment;
}

/**
 * Outcome of a write. `repeated`: the same form was sent before, and the comment is already stored. `missing`: the drop or the thread no
 * longer exists.
 */
export type WriteOutcome =
  | { readonly kind: "written"; readonly written: Written }
  | { readonly kind: "repeated" }
  | { readonly kind: "missing" };

/** Counts that were read before the write. The write fails if the counts have changed. */
interface Seen {
  readonly counts: ReturnType<typeof toFeedbackCounts>;
  readonly sequence: number;
}

/**
 * Writes a comment with its thread, counts and event number in one transaction. The event number is one above the last number that was
 * read. The write fails if another writer has taken that number. Event numbers therefore have no gaps, so a client that has read up to a
 * number has read every comment before it.
 */
export async function writeComment(
  { ownerId, slug }: OwnedDrop,
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

/** Creates the next comment of a thread. Its event number follows the last event number that was read. */
export function commentIn(
  { slug, thread, commentCount }: Thread,
  next: NewComment,
  { sequence }: Seen,
): Comment {
  const { author, text, version, atMs } = next;
  const place = { slug, thread, comment: commentCount, sequence: sequence + 1 };
  return { ...place, author, text, version, createdAtMs: atMs };
}

/** Reads the last event number from the account's item. */
export function lastSequenceOf(item: Item | undefined): number {
  return (item?.sequence ?? 0) as number;
}

/** Error for a write conflict, after which `retryConflicts` tries again. */
export function tooManyWriters(): RetryableError {
  return new RetryableError("Others are commenting at the same time. Try again.");
}
