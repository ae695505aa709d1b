import type { Version } from "../drops/drop.ts";
import type { Draft, Problem } from "./draft.ts";
import type { Comment, Conversation, FeedbackCounts, Thread, ThreadState } from "./feedback.ts";
import { createQuoteLocator } from "./quote-locator.ts";
import { feedback } from "./store.ts";

/** Writer of a comment and the name that is shown. */
export type Writer =
  /** Somebody who has signed in. */
  | { readonly kind: "signed-in"; readonly username: string }
  /** Somebody behind the passcode, by a name of their choice. */
  | { readonly kind: "named" }
  /** Nobody yet. */
  | { readonly kind: "nobody" }
  /** Somebody whom the operator has shut out. */
  | { readonly kind: "barred" };

/** Props of a drop's feedback page. */
export interface FeedbackPageProps {
  readonly title: string;
  /** The version shown. */
  readonly version: number;
  readonly latestVersion: number;
  readonly openThreads: number;
  /** The limit of threads is reached. */
  readonly isFull: boolean;
  /** Those of this part of the list: the open ones first, and of each kind what changed last. */
  readonly threads: readonly ShownThread[];
  /** URLs of the pages with newer and older threads. @default - none */
  readonly newerUrl?: string | undefined;
  readonly olderUrl?: string | undefined;
  /** URL of all threads, on the page of one. @default - all are shown */
  readonly allUrl?: string | undefined;
  readonly writer: Writer;
  readonly frameUrl: string;
  /** URL in the frame of a page of the folder. @default - the version shown is one page */
  readonly framedPageUrl?: ((path: string) => string) | undefined;
  /** The viewer at the version shown; the next one is this page at any version. */
  readonly viewerUrl: string;
  readonly versionUrl: (version: number) => string;
  readonly threadUrl: (thread: number) => string;
  /** Path of the forms. */
  readonly action: string;
  /** The proof that each form carries: it was shown to this session. */
  readonly proof: string;
  /** URL of the sign-in that leads back here. */
  readonly signInUrl: string;
  /** URL of the page with the reader's identity and sign-out. */
  readonly readerUrl: string;
  /** A new one for each form. */
  readonly newFormId: () => string;
  /** Refused draft and its problem. @default - none */
  readonly refused?: { readonly draft: Draft; readonly problem: Problem } | undefined;
  readonly nonce: string;
}

/** A thread as a part of the page shows it. */
export interface ShownThread {
  readonly thread: number;
  readonly state: ThreadState;
  /** @default - it is about the page */
  readonly quote?: string | undefined;
  /** The page of a folder that it is about. @default - the drop was one page */
  readonly path?: string | undefined;
  /** The version that it was begun at. */
  readonly version: number;
  /** The quote is not in the shown version. */
  readonly isGone: boolean;
  /** The thread's first version still exists. */
  readonly hasVersion: boolean;
  readonly commentCount: number;
  /** All of them, or the first and the last. */
  readonly comments: readonly Comment[];
}

/** Threads on one part of the page. */
export const threadsPerPart = 20;

/** Last comments of a longer thread that the page of all threads shows after the first one. */
const lastCommentsShown = 4;

/** Threads with the comments that are shown of them, and how many threads the drop has. */
interface ReadThreads {
  readonly conversations: readonly Conversation[];
  readonly counts: FeedbackCounts;
}

/**
 * One part of a drop's threads: the open ones first, and of each kind what changed last. All rows of threads are read for it, 200 at
 * most, and of comments those that are shown.
 */
export async function readPart(slug: string, part: number): Promise<ReadThreads> {
  const threads = await feedback.listThreads(slug);
  const chosen = threads
    .toSorted(
      (one, other) =>
        Number(isResolved(one)) - Number(isResolved(other)) || other.updatedAtMs - one.updatedAtMs,
    )
    .slice((part - 1) * threadsPerPart, part * threadsPerPart);
  return {
    conversations: await feedback.withComments(chosen, lastShownOf),
    counts: {
      threads: threads.length,
      openThreads: threads.filter((thread) => !isResolved(thread)).length,
    },
  };
}

/** One thread with all its comments; undefined if there is none. */
export async function readWholeThread(slug: string, thread: number): Promise<ReadThreads> {
  const [conversation, counts] = await Promise.all([feedback.find(slug, thread), feedback.count(slug)]);
  return { conversations: conversation === undefined ? [] : [conversation], counts };
}

function isResolved({ state }: Thread): boolean {
  return state === "resolved";
}

/** A thread of one comment more than would be shown is shown whole: a line that says so takes as much room. */
function lastShownOf({ commentCount }: Thread): number {
  return commentCount > lastCommentsShown + 2 ? lastCommentsShown : commentCount;
}

/**
 * Threads as the page shows them. A passage of another version is looked for in the version that is shown, as `GET /api/feedback`
 * looks for it in the latest.
 */
export async function toShownThreads(
  conversations: readonly Conversation[],
  shown: {
    readonly slug: string;
    readonly version: number;
    readonly pageKey: string;
    readonly versions: readonly Version[];
  },
): Promise<ShownThread[]> {
  const findPassage = createQuoteLocator();
  return Promise.all(
    conversations.map(async ({ thread, comments }) => {
      const isOfAnother = thread.version !== shown.version;
      const passage = isOfAnother ? await findPassage(shown, thread) : undefined;
      return {
        ...thread,
        isGone: passage?.state === "gone",
        hasVersion: shown.versions.some(({ version }) => version === thread.version),
        comments,
      };
    }),
  );
}
