import type { Version } from "../drops/drop.ts";
import type { Conversation, FeedbackCounts, Thread } from "../feedback/feedback.ts";
import { passageFinder } from "../feedback/passages.ts";
import { feedback } from "../feedback/store.ts";
import type { ShownThread } from "./shown-feedback.ts";

/** Threads on one part of the page. */
export const threadsPerPart = 20;

/** Of a longer thread, the first comment and so many of the last stand on the page of all threads. */
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

/** One thread with all of its comments; no conversation where there is no such thread. */
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
  const findPassage = passageFinder();
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
