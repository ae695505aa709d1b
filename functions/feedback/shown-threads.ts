import type { Version } from "../drops/drop.ts";
import type { Draft, Problem } from "./draft.ts";
import type { Comment, Conversation, Thread } from "./feedback.ts";
import { createQuoteLocator } from "./quote-locator.ts";
import { feedback } from "./store.ts";

/** Kind of reader, which determines how the reader may comment. */
export type Writer =
  /** A signed-in reader. */
  | { readonly kind: "signed-in"; readonly username: string }
  /** An anonymous reader with the passcode, who chooses a name. */
  | { readonly kind: "named" }
  /** A visitor who has to sign in before commenting. */
  | { readonly kind: "nobody" }
  /** A reader whom the operator does not allow to comment. */
  | { readonly kind: "barred" };

/** Props of a drop's feedback page and its parts. */
export interface FeedbackPageProps {
  readonly title: string;
  /** Number of the shown version. */
  readonly version: number;
  readonly latestVersion: number;
  readonly openThreads: number;
  /** True if the drop has reached its thread limit, so that only replies are possible. */
  readonly isFull: boolean;
  /** Threads of this page of the list: open threads first, then by latest change. */
  readonly threads: readonly ShownThread[];
  /** URLs of the previous and next pages of the list. @default - none */
  readonly newerUrl?: string | undefined;
  readonly olderUrl?: string | undefined;
  /** URL of the list of all threads, if the page shows a single thread. @default - the page shows the list */
  readonly allUrl?: string | undefined;
  readonly writer: Writer;
  /** True if the comments are shown in the viewer's panel. The published page is then in the viewer, and this page does not frame it. */
  readonly isPanel: boolean;
  readonly frameUrl: string;
  /** Builds the frame URL of a folder's page. @default - the shown version is a single page */
  readonly framedPageUrl?: ((path: string) => string) | undefined;
  /** URL of the viewer for the shown version. */
  readonly viewerUrl: string;
  readonly versionUrl: (version: number) => string;
  readonly threadUrl: (thread: number) => string;
  /** Action URL of the forms. */
  readonly action: string;
  /** CSRF token for the page's forms, bound to this session. */
  readonly proof: string;
  /** URL of the sign-in page, which returns to this page. */
  readonly signInUrl: string;
  /** URL of the page with the reader's identity and sign-out. */
  readonly readerUrl: string;
  /** Creates a unique id for each form. */
  readonly newFormId: () => string;
  /** Refused draft and its problem. @default - none */
  readonly refused?: { readonly draft: Draft; readonly problem: Problem } | undefined;
  readonly nonce: string;
}

/** A thread with the fields that the page shows. */
export interface ShownThread extends Omit<Thread, "slug" | "region" | "createdAtMs" | "updatedAtMs"> {
  /** True if the shown version does not contain the quote. */
  readonly isGone: boolean;
  /** True if the version on which the thread began still exists. */
  readonly hasVersion: boolean;
  /** All comments of the thread, or only the first and the last ones. */
  readonly comments: readonly Comment[];
}

/** Number of threads on one page of the list. */
export const threadsPerPart = 20;

/** Number of last comments that the list shows of a long thread, after its first comment. */
const lastCommentsShown = 4;

/**
 * Reads one page of a drop's threads, and the thread counts. Open threads come first, then by latest change. Reads all threads, at most 200,
 * but only the comments that are shown.
 */
export async function readPart(slug: string, part: number) {
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

/** Reads one thread with all its comments, and the drop's thread counts. The result is empty if the thread does not exist. */
export async function readWholeThread(slug: string, thread: number) {
  const [conversation, counts] = await Promise.all([feedback.find(slug, thread), feedback.count(slug)]);
  return { conversations: conversation === undefined ? [] : [conversation], counts };
}

function isResolved({ state }: Thread): boolean {
  return state === "resolved";
}

/** Returns how many of a thread's last comments to show. Never hides only one comment, because a notice takes as much space. */
function lastShownOf({ commentCount }: Thread): number {
  return commentCount > lastCommentsShown + 2 ? lastCommentsShown : commentCount;
}

/** Prepares threads for the page. Searches the shown version for passages that were quoted from another version. */
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
      const passage = thread.version === shown.version ? undefined : await findPassage(shown, thread);
      return {
        ...thread,
        isGone: passage?.state === "gone",
        hasVersion: shown.versions.some(({ version }) => version === thread.version),
        comments,
      };
    }),
  );
}
