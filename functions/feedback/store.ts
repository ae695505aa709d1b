import { waitForOthers } from "../drops/store.ts";
import type { Act } from "../platform/audit.ts";
import { ApiError } from "../platform/errors.ts";
import { type StoredResponse, transactOnce } from "../platform/idempotency-store.ts";
import { type Key, keys, ranges } from "../platform/keys.ts";
import { getItem, getItems, type Item, queryAll } from "../platform/table.ts";
import type { TransactionWrite } from "../platform/table-writes.ts";
import {
  type Comment,
  type Conversation,
  type FeedbackCounts,
  type NewComment,
  requireCommentQuota,
  requireThreadQuota,
  type Thread,
  type ThreadState,
} from "./feedback.ts";
import { toCommentItem, toConversations, toFeedbackCounts, toThread, toThreadItem } from "./items.ts";
import {
  type About,
  countsWrite,
  isStillOf,
  numberWrites,
  sentFormWrite,
  threadWrite,
} from "./thread-writes.ts";

/** Races with other writers that one write stands before it gives up. */
const attemptsMax = 60;

/** How something is written once, however often it is sent. */
interface WrittenOnce {
  /** The id in the form that was sent. @default - it was no form */
  readonly formId?: string | undefined;
  /** The response to keep, of what was written. @default - none */
  readonly keep?: (written: Written) => StoredResponse | undefined;
}

/** What was written, where it stands. */
export interface Written {
  readonly thread: Thread;
  readonly comment: Comment;
}

/**
 * What has become of something that was to be written. `repeated`: the form was sent before, and what it said is there.
 * `missing`: the drop or the thread is gone.
 */
export type WriteOutcome =
  | { readonly kind: "written"; readonly written: Written }
  | { readonly kind: "repeated" }
  | { readonly kind: "missing" };

/** What readers and owners write about drops, and the order in which it came to an account. */
export const feedback = {
  /** How much there is of a drop. */
  async count(slug: string): Promise<FeedbackCounts> {
    const { threads, openThreads } = toFeedbackCounts(await getItem(keys.feedback(slug)));
    return { threads, openThreads };
  },

  /** All of a drop's, the thread that was begun first first. */
  async list(slug: string): Promise<Conversation[]> {
    return toConversations(await queryAll(ranges.threads(slug)));
  },

  /** One thread; undefined where there is none. */
  async find(slug: string, thread: number): Promise<Conversation | undefined> {
    return toConversations(await queryAll(ranges.thread(slug, thread)))[0];
  },

  /** The number of the last comment on an account's drops, 0 where there is none yet, and when it was written. One small read. */
  async last(ownerId: string): Promise<{ readonly sequence: number; readonly atMs: number | undefined }> {
    const item = await getItem(keys.feedbackLog(ownerId));
    return { sequence: lastSequenceOf(item), atMs: item?.writtenAtMs as number | undefined };
  },

  /**
   * The comments on an account's drops whose numbers come after one, in their order: of the next so many numbers those that are
   * there still, each with its thread as it is now.
   */
  async listAfter(ownerId: string, sequence: number, count: number): Promise<Written[]> {
    const numbers = Array.from({ length: count }, (_, index) => sequence + 1 + index);
    const entries = await getItems(numbers.map((number) => keys.feedbackEntry(ownerId, number)));
    const items = await getItems(
      distinct(
        entries.flatMap(({ slug, thread, comment }) => [
          keys.thread(slug as string, thread as number),
          keys.comment(slug as string, thread as number, comment as number),
        ]),
      ),
    );
    const conversations = toConversations(items.toSorted((one, other) => order(textOf(one), textOf(other))));
    const numbered = new Set(numbers);
    return conversations
      .flatMap(({ thread, comments }) => comments.map((comment) => ({ thread, comment })))
      .filter(({ comment }) => numbered.has(comment.sequence))
      .sort((one, other) => one.comment.sequence - other.comment.sequence);
  },

  /**
   * Begins a thread with its first comment, in one transaction with the comment's number and the audit trail's line.
   *
   * @throws ApiError `quota_exceeded` where the drop has 200 threads; ResponseStoredError
   */
  async begin(
    about: About,
    { quote, ...first }: NewComment & { readonly quote?: string | undefined },
    act: Act,
    once: WrittenOnce = {},
  ): Promise<WriteOutcome> {
    return write(about, act, once, async (seen) => {
      requireThreadQuota(seen.counts);
      const thread: Thread = {
        slug: about.slug,
        thread: seen.counts.lastThread + 1,
        state: "open",
        quote,
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
   * Adds a comment to a thread. A reader's opens it again.
   *
   * @throws ApiError `quota_exceeded` where the thread has 50 comments; ResponseStoredError
   */
  async reply(
    about: About,
    threadNumber: number,
    next: NewComment,
    act: Act,
    once: WrittenOnce = {},
  ): Promise<WriteOutcome> {
    return write(about, act, once, async (seen) => {
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

  /** Resolves a thread, or opens it again: the thread after it, changed or not. Undefined where there is none. */
  async setState(
    { ownerId, slug }: About,
    threadNumber: number,
    state: ThreadState,
    act: Act,
  ): Promise<Thread | undefined> {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      await waitForOthers(attempt);
      const item = await getItem(keys.thread(slug, threadNumber));
      if (item === undefined) return undefined;
      const before = toThread(item);
      if (before.state === state) return before;
      const thread = { ...before, state, updatedAtMs: act.atMs };
      const outcome = await transactOnce(
        [
          isStillOf({ ownerId, slug }),
          threadWrite(before, thread),
          countsWrite(slug, { threads: 0, openThreads: state === "open" ? 1 : -1 }),
        ],
        { act, subject: { ownerId, slug, thread: threadNumber } },
      );
      if (outcome.committed) return thread;
      if (outcome.failed.has(0)) return undefined;
    }
    throw manyWriters();
  },

  /** Deletes a thread with all of its comments; false where there is none. Their numbers stay, and lead to nothing. */
  async remove({ ownerId, slug }: About, threadNumber: number, act: Act): Promise<boolean> {
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      await waitForOthers(attempt);
      const found = await feedback.find(slug, threadNumber);
      if (found === undefined) return false;
      const { thread, comments } = found;
      const outcome = await transactOnce(
        [
          isStillOf({ ownerId, slug }),
          {
            remove: keys.thread(slug, threadNumber),
            condition: "commentCount = :count AND #state = :state",
            names: { "#state": "state" },
            values: { ":count": thread.commentCount, ":state": thread.state },
          },
          ...comments.map(({ comment }) => ({ remove: keys.comment(slug, threadNumber, comment) })),
          countsWrite(slug, { threads: -1, openThreads: thread.state === "open" ? -1 : 0 }),
        ],
        { act, subject: { ownerId, slug, thread: threadNumber } },
      );
      if (outcome.committed) return true;
      if (outcome.failed.has(0)) return false;
    }
    throw manyWriters();
  },
};

/** What a writer has seen before it writes: what it writes is bound to it. */
interface Seen {
  readonly counts: ReturnType<typeof toFeedbackCounts>;
  readonly sequence: number;
}

/**
 * Writes a comment with what goes along. Its number is the one after the last that was seen, which no other writer has taken by
 * then: so numbers have no gaps, and who has read up to one has missed nothing before it.
 */
async function write(
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

function commentIn({ slug, thread, commentCount }: Thread, next: NewComment, { sequence }: Seen): Comment {
  const { author, text, version, atMs } = next;
  const place = { slug, thread, comment: commentCount, sequence: sequence + 1 };
  return { ...place, author, text, version, createdAtMs: atMs };
}

function lastSequenceOf(item: Item | undefined): number {
  return (item?.sequence ?? 0) as number;
}

function at(items: readonly Item[], { pk, sk }: Key): Item | undefined {
  return items.find((item) => item.pk === pk && item.sk === sk);
}

/** A request for the same item twice is refused: Amazon DynamoDB API reference, "BatchGetItem". */
function distinct(all: readonly Key[]): Key[] {
  return [...new Map(all.map((key) => [textOf(key), key])).values()];
}

function textOf({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): string {
  return `${pk} ${sk}`;
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function manyWriters(): ApiError {
  return new ApiError("unavailable", {
    message: "Many are writing at once. Try again.",
    retryAfterSeconds: 1,
  });
}
