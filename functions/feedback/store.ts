import { type OwnedDrop, ownerCondition } from "../drops/reader-writes.ts";
import type { Act } from "../table/audit.ts";
import { transactOnce } from "../table/audit-trail.ts";
import { type Key, keys, ranges } from "../table/keys.ts";
import { isDropNotHeld, refuseHeld } from "../table/legal-hold.ts";
import { findItems, getItem, getItems, queryAll, retryConflicts } from "../table/table.ts";
import {
  type Conversation,
  type FeedbackCounts,
  type NewComment,
  type Passage,
  requireCommentQuota,
  requireThreadQuota,
  type Thread,
  type ThreadState,
  toConversations,
} from "./feedback.ts";
import { toComment, toFeedbackCounts, toThread, toThreadItem } from "./items.ts";
import {
  commentIn,
  countsWrite,
  lastSequenceOf,
  threadWrite,
  tooManyWriters,
  type WriteOnceOptions,
  type WriteOutcome,
  type Written,
  writeComment,
} from "./write-comment.ts";

/** Store for feedback on drops: threads, comments, and the event numbers that order an account's comments. */
export const feedback = {
  /** Returns the number of threads on a drop, in total and open. */
  async count(slug: string): Promise<FeedbackCounts> {
    const { threads, openThreads } = toFeedbackCounts(await getItem(keys.feedback(slug)));
    return { threads, openThreads };
  },

  /** Lists a drop's threads without their comments, oldest first. Needs one query of at most 200 items. */
  async listThreads(slug: string): Promise<Thread[]> {
    return (await queryAll(ranges.threads(slug))).map(toThread);
  },

  /**
   * Reads the first and the last comments of the given threads, each comment by its own key. Leaves out threads that were deleted in the
   * meantime.
   *
   * @param lastOf returns how many of a thread's last comments to read
   * @default - all comments
   */
  async withComments(
    threads: readonly Thread[],
    lastOf: (thread: Thread) => number = ({ commentCount }) => commentCount,
  ): Promise<Conversation[]> {
    const items = await getItems(threads.flatMap((thread) => commentKeysOf(thread, lastOf(thread))));
    const conversations = toConversations(threads, items.map(toComment));
    return conversations.filter(({ comments }) => comments.length > 0);
  },

  /** Lists all threads and comments of a drop, oldest thread first. Used only for exports by the operator, because it reads everything. */
  async list(slug: string): Promise<Conversation[]> {
    const threads = await feedback.listThreads(slug);
    const comments = threads.length === 0 ? [] : await queryAll(ranges.comments(slug));
    return toConversations(threads, comments.map(toComment));
  },

  /** Finds a thread with its comments. Returns undefined if it does not exist. */
  async find(slug: string, thread: number): Promise<Conversation | undefined> {
    const item = await getItem(keys.thread(slug, thread));
    return item && (await feedback.withComments([toThread(item)]))[0];
  },

  /** Reads the event number and time of an account's last comment, with one small read. The number is 0 before the first comment. */
  async last(ownerId: string): Promise<{ readonly sequence: number; readonly atMs: number | undefined }> {
    const item = await getItem(keys.feedbackLog(ownerId));
    return { sequence: lastSequenceOf(item), atMs: item?.writtenAtMs as number | undefined };
  },

  /**
   * Reads the comments with the next `count` event numbers after `sequence`, in order, each with its current thread.
   * Leaves out deleted comments.
   */
  async listAfter(ownerId: string, sequence: number, count: number): Promise<Written[]> {
    const numbers = Array.from({ length: count }, (_, index) => sequence + 1 + index);
    const entries = await getItems(numbers.map((number) => keys.feedbackEntry(ownerId, number)));
    const places = entries.map(({ slug, thread, comment }) => ({
      thread: keys.thread(slug as string, thread as number),
      comment: keys.comment(slug as string, thread as number, comment as number),
    }));
    const find = await findItems(places.flatMap(({ thread, comment }) => [thread, comment]));
    return places
      .flatMap((place) => {
        const [thread, comment] = [find(place.thread), find(place.comment)];
        return thread && comment ? [{ thread: toThread(thread), comment: toComment(comment) }] : [];
      })
      .filter(({ comment }) => numbers.includes(comment.sequence))
      .sort((one, other) => one.comment.sequence - other.comment.sequence);
  },

  /**
   * Begins a thread with its first comment. The transaction also writes the event number and the audit entry.
   *
   * @throws ApiError `quota_exceeded` if the drop has 200 threads; ResponseStoredError
   */
  async begin(
    about: OwnedDrop,
    { quote, selector, region, path, ...first }: NewComment & Passage,
    act: Act,
    once: WriteOnceOptions = {},
  ): Promise<WriteOutcome> {
    return writeComment(about, act, once, async (seen) => {
      requireThreadQuota(seen.counts);
      const thread: Thread = {
        slug: about.slug,
        thread: seen.counts.lastThread + 1,
        state: "open",
        quote,
        selector,
        region,
        path,
        version: first.version,
        commentCount: 1,
        createdAtMs: first.atMs,
        updatedAtMs: first.atMs,
      };
      return {
        thread,
        comment: commentIn(thread, first, seen),
        writes: [
          { put: toThreadItem(thread), condition: "attribute_not_exists(pk)" },
          countsWrite(about.slug, { threads: 1, openThreads: 1 }, seen.counts.lastThread),
        ],
      };
    });
  },

  /**
   * Adds a comment to a thread. A reader's comment reopens the thread.
   *
   * @throws ApiError `quota_exceeded` if the thread has 50 comments; ResponseStoredError
   */
  async reply(
    about: OwnedDrop,
    threadNumber: number,
    next: NewComment,
    act: Act,
    once: WriteOnceOptions = {},
  ): Promise<WriteOutcome> {
    return writeComment(about, act, once, async (seen) => {
      const item = await getItem(keys.thread(about.slug, threadNumber));
      if (item === undefined) return undefined;
      const before = toThread(item);
      requireCommentQuota(before);
      const state: ThreadState = next.author.kind === "owner" ? before.state : "open";
      const thread = { ...before, state, commentCount: before.commentCount + 1, updatedAtMs: next.atMs };
      const isReopened = state !== before.state;
      return {
        thread,
        comment: commentIn(thread, next, seen),
        writes: [
          threadWrite(before, thread),
          ...(isReopened ? [countsWrite(about.slug, { threads: 0, openThreads: 1 })] : []),
        ],
      };
    });
  },

  /** Resolves or reopens a thread. Returns the thread, or undefined if the thread does not exist. */
  async setState(
    { ownerId, slug }: OwnedDrop,
    threadNumber: number,
    state: ThreadState,
    act: Act,
  ): Promise<Thread | undefined> {
    return retryConflicts(async () => {
      const item = await getItem(keys.thread(slug, threadNumber));
      if (item === undefined) return undefined;
      const before = toThread(item);
      if (before.state === state) return before;
      const thread = { ...before, state, updatedAtMs: act.atMs };
      const outcome = await transactOnce(
        {
          owner: ownerCondition({ ownerId, slug }),
          thread: threadWrite(before, thread),
          counts: countsWrite(slug, { threads: 0, openThreads: state === "open" ? 1 : -1 }),
        },
        { act, subject: { ownerId, slug, thread: threadNumber } },
      );
      if (outcome.committed) return thread;
      if (outcome.failed.has("owner")) return undefined;
      throw tooManyWriters();
    });
  },

  /**
   * Deletes a thread with all its comments. Returns false if the thread does not exist. The comments' event numbers stay in the account's
   * log.
   *
   * @throws ApiError `forbidden` if the drop is on legal hold
   */
  async remove({ ownerId, slug }: OwnedDrop, threadNumber: number, act: Act): Promise<boolean> {
    return retryConflicts(async () => {
      const item = await getItem(keys.thread(slug, threadNumber));
      if (item === undefined) return false;
      const thread = toThread(item);
      const outcome = await transactOnce(
        {
          owner: ownerCondition({ ownerId, slug }),
          account: { check: keys.account(ownerId), condition: isDropNotHeld, values: { ":slug": slug } },
          thread: {
            remove: keys.thread(slug, threadNumber),
            condition: "commentCount = :count AND #state = :state",
            names: { "#state": "state" },
            values: { ":count": thread.commentCount, ":state": thread.state },
          },
          comments: commentKeysOf(thread, thread.commentCount).map((remove) => ({ remove })),
          counts: countsWrite(slug, { threads: -1, openThreads: thread.state === "open" ? -1 : 0 }),
        },
        { act, subject: { ownerId, slug, thread: threadNumber } },
      );
      if (outcome.committed) return true;
      refuseHeld(outcome.failed.get("account"), slug);
      if (outcome.failed.has("owner")) return false;
      throw tooManyWriters();
    });
  },
};

/** Returns the keys of a thread's first comment and of its last `last` comments. */
function commentKeysOf({ slug, thread, commentCount }: Thread, last: number): Key[] {
  const numbers = Array.from({ length: commentCount }, (_, index) => index + 1);
  return numbers
    .filter((number) => number === 1 || number > commentCount - last)
    .map((number) => keys.comment(slug, thread, number));
}
