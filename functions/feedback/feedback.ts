import { ApiError, inBothWords } from "../core/errors.ts";
import { limits } from "../core/limits.ts";

/** Thread of comments about one place in a drop; see docs/adr/0070-feedback.md. */
export interface Thread {
  readonly slug: string;
  /** Number of the thread. A drop's threads are numbered from 1, and numbers are never reused. */
  readonly thread: number;
  readonly state: ThreadState;
  /** The quoted passage, as the reader sent it. @default - the thread is about the whole page */
  readonly quote?: string | undefined;
  /** CSS selector of the marked element. @default - no element was marked */
  readonly selector?: string | undefined;
  /** Marked rectangle on the page, as laid out at the reader's window width. @default - no place was marked */
  readonly region?: Region | undefined;
  /** Path of the commented page in a folder. @default - the drop was a single page */
  readonly path?: string | undefined;
  /** The version that was shown when the thread began. */
  readonly version: number;
  readonly commentCount: number;
  readonly createdAtMs: number;
  /** Time of the last comment or state change, in Unix milliseconds. */
  readonly updatedAtMs: number;
}

/** A rectangle on a page, in fractions of the page's width and height, from 0 to 1. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The passage or place that a thread is about. */
export type Passage = Pick<Thread, "quote" | "selector" | "region" | "path">;

export const threadStates = ["open", "resolved"] as const;

export type ThreadState = (typeof threadStates)[number];

/** Author of a comment: a signed-in reader, an anonymous reader with the passcode and a name, or the drop's owner. */
export type Author =
  | {
      readonly kind: "reader";
      /** User name at the identity provider when the comment was written. */
      readonly name: string;
      /** Stable id of the person at the identity provider. */
      readonly identity: string;
    }
  /** A reader who entered the passcode and a name, which is not verified. */
  | { readonly kind: "named"; readonly name: string }
  /** The owner or their agent, under the account's current namespace. */
  | { readonly kind: "owner"; readonly name: string };

/** A comment in a thread. Comments never change. */
export interface Comment {
  readonly slug: string;
  readonly thread: number;
  /** Number of the comment in the thread, from 1. */
  readonly comment: number;
  /** Event number of the comment. All comments on an account's drops are numbered in order, from 1 without gaps. */
  readonly sequence: number;
  readonly author: Author;
  /** Plain text written by the author. It is never treated as markup or as an instruction. */
  readonly text: string;
  /** The version that the author saw, or for the owner's comments, the latest version at that time. */
  readonly version: number;
  readonly createdAtMs: number;
}

/** A thread with all its comments, oldest first. */
export interface Conversation {
  readonly thread: Thread;
  readonly comments: readonly Comment[];
}

/** Groups comments by thread. Leaves out comments whose thread is being removed. */
export function toConversations(threads: readonly Thread[], comments: readonly Comment[]): Conversation[] {
  const placeOf = ({ slug, thread }: Pick<Thread, "slug" | "thread">) => `${slug} ${thread}`;
  const byThread = Map.groupBy(comments, placeOf);
  return threads.map((thread) => ({
    thread,
    comments: (byThread.get(placeOf(thread)) ?? []).sort((one, other) => one.comment - other.comment),
  }));
}

/** Fields of a new comment. */
export interface NewComment {
  readonly author: Author;
  readonly text: string;
  readonly version: number;
  readonly atMs: number;
}

/**
 * Key prefix of stored page texts in the pages bucket. Page keys begin with a slug, which contains no underscore, so
 * the lifecycle rule for this prefix never removes a page.
 */
export const pageTextPrefix = "_words/";

/** Number of days that a page's normalized text is stored. Afterwards, the next search for a quote creates the text again. */
export const pageTextDays = 30;

/** Returns the object key of a page's text, normalized by `normalizeText`. */
export function pageTextKey(pageKey: string): string {
  return pageTextPrefix + pageKey.replace(/\.html$/, ".txt");
}

/** Number of threads on a drop, in total and open. */
export interface FeedbackCounts {
  readonly threads: number;
  readonly openThreads: number;
}

/** Requires that a drop may have another thread. @throws ApiError `quota_exceeded` at the limit */
export function requireThreadQuota({ threads }: FeedbackCounts): void {
  if (threads < limits.threadsPerDropMax) return;
  throw new ApiError("quota_exceeded", {
    message: `The page has reached the limit of ${limits.threadsPerDropMax} threads. The page's owner can delete some.`,
    details: { threads_max: limits.threadsPerDropMax },
  });
}

/** Requires that a thread may have another comment. @throws ApiError `quota_exceeded` at the limit */
export function requireCommentQuota({ commentCount }: Thread): void {
  if (commentCount < limits.commentsPerThreadMax) return;
  throw new ApiError("quota_exceeded", {
    message: `The thread has reached the limit of ${limits.commentsPerThreadMax} comments. Start a new thread.`,
    details: { comments_max: limits.commentsPerThreadMax },
  });
}

/** Error for an unknown thread. */
export function noSuchThread(slug: string, thread: number): ApiError {
  return new ApiError("not_found", {
    message: inBothWords(
      (call) =>
        `The drop ${slug} has no thread ${thread}. ${call(`GET /api/feedback?slug=${slug}`, "list_feedback")} lists its threads.`,
    ),
    details: { thread },
  });
}
