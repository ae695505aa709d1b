import type { Version } from "../drops/drop.ts";
import type { Draft, Problem } from "./draft.ts";
import type { Comment, Conversation, FeedbackCounts, Thread } from "./feedback.ts";
import { createQuoteLocator } from "./quote-locator.ts";
import { feedback } from "./store.ts";

/** Writer of a comment and the name that is shown. */
export type Writer =
  /** A signed-in reader. */
  | { readonly kind: "signed-in"; readonly username: string }
  /** A reader behind the passcode, with a name of their choice. */
  | { readonly kind: "named" }
  /** A visitor who has to sign in first. */
  | { readonly kind: "nobody" }
  /** A reader whom the operator has barred. */
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
  /** Threads of this part of the list: open ones first, then by latest change. */
  readonly threads: readonly ShownThread[];
  /** URLs of the pages with newer and older threads. @default - none */
  readonly newerUrl?: string | undefined;
  readonly olderUrl?: string | undefined;
  /** URL of all threads, on the page of one. @default - all are shown */
  readonly allUrl?: string | undefined;
  readonly writer: Writer;
  /** The viewer shows the comments beside the page, without this page's frame. */
  readonly isPanel: boolean;
  readonly frameUrl: string;
  /** URL of the folder's page in the frame. @default - the version shown is one page */
  readonly framedPageUrl?: ((path: string) => string) | undefined;
  /** URL of the viewer at the shown version; `versionUrl` gives this page at any version. */
  readonly viewerUrl: string;
  readonly versionUrl: (version: number) => string;
  readonly threadUrl: (thread: number) => string;
  /** Path of the forms. */
  readonly action: string;
  /** Proof in each form that it was shown to this session. */
  readonly proof: string;
  /** URL of the sign-in that leads back here. */
  readonly signInUrl: string;
  /** URL of the page with the reader's identity and sign-out. */
  readonly readerUrl: string;
  /** Creates an id for each form. */
  readonly newFormId: () => string;
  /** Refused draft and its problem. @default - none */
  readonly refused?: { readonly draft: Draft; readonly problem: Problem } | undefined;
  readonly nonce: string;
}

/** A thread with the fields that the page shows. */
export interface ShownThread extends Omit<Thread, "slug" | "region" | "createdAtMs" | "updatedAtMs"> {
  /** The quote is not in the shown version. */
  readonly isGone: boolean;
  /** The thread's first version still exists. */
  readonly hasVersion: boolean;
  /** All comments, or the first and the last ones. */
  readonly comments: readonly Comment[];
}

/** Threads on one part of the page. */
export const threadsPerPart = 20;

/** Last comments of a longer thread that the page of all threads shows after the first one. */
const lastCommentsShown = 4;

/** Threads with their shown comments, and the number of the drop's threads. */
interface ReadThreads {
  readonly conversations: readonly Conversation[];
  readonly counts: FeedbackCounts;
}

/**
 * Reads one part of a drop's threads: open ones first, then by latest change. It reads all rows of threads, at most
 * 200, and only the shown comments.
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

/** One thread with all its comments; undefined if it does not exist. */
export async function readWholeThread(slug: string, thread: number): Promise<ReadThreads> {
  const [conversation, counts] = await Promise.all([feedback.find(slug, thread), feedback.count(slug)]);
  return { conversations: conversation === undefined ? [] : [conversation], counts };
}

function isResolved({ state }: Thread): boolean {
  return state === "resolved";
}

/** Shows a thread in full if only one comment would be left out: a line about it would take as much room. */
function lastShownOf({ commentCount }: Thread): number {
  return commentCount > lastCommentsShown + 2 ? lastCommentsShown : commentCount;
}

/**
 * Prepares threads for the page. Passages of another version are searched in the shown version, as `GET /api/feedback`
 * searches them in the latest.
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
