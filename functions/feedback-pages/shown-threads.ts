import type { Version } from "../drops/drop.ts";
import { pages } from "../drops/page-objects.ts";
import type { Conversation } from "../feedback/feedback.ts";
import { toWords, wordsOfPage } from "../feedback/page-words.ts";
import type { ShownThread } from "./shown-feedback.ts";

/** Threads on one part of the page. */
export const threadsPerPart = 20;

/** Of a longer thread, the first comment and so many of the last stand on the page of all threads. */
const lastCommentsShown = 4;

/** The threads of one part: the open ones first, and of each kind what changed last. */
export function partOf(conversations: readonly Conversation[], part: number): readonly Conversation[] {
  const isResolved = ({ thread }: Conversation) => Number(thread.state === "resolved");
  return conversations
    .toSorted(
      (one, other) =>
        isResolved(one) - isResolved(other) || other.thread.updatedAtMs - one.thread.updatedAtMs,
    )
    .slice((part - 1) * threadsPerPart, part * threadsPerPart);
}

/**
 * Threads as the page shows them. Whether a passage of another version stands in the one that is shown is looked up in the page, which
 * is read where there is such a passage.
 */
export async function toShownThreads(
  conversations: readonly Conversation[],
  shown: {
    readonly version: number;
    readonly pageKey: string;
    readonly versions: readonly Version[];
    /** Whether all comments are shown. */
    readonly isWhole: boolean;
  },
): Promise<ShownThread[]> {
  const isOfAnother = ({ thread }: Conversation) =>
    thread.quote !== undefined && thread.version !== shown.version;
  const page = conversations.some(isOfAnother) ? await pages.get(shown.pageKey) : undefined;
  const words = page && wordsOfPage(page.bytes.toString());
  return conversations.map((conversation) => {
    const { thread, comments } = conversation;
    const isLong = !shown.isWhole && comments.length > lastCommentsShown + 2;
    return {
      ...thread,
      isGone:
        words !== undefined && isOfAnother(conversation) && !words.includes(toWords(thread.quote ?? "")),
      hasVersion: shown.versions.some(({ version }) => version === thread.version),
      commentCount: comments.length,
      comments: isLong ? [...comments.slice(0, 1), ...comments.slice(-lastCommentsShown)] : comments,
    };
  });
}
