import { type Key, keys, ranges } from "../table/keys.ts";
import { type Item, queryKeys } from "../table/table.ts";
import type { Author, Comment, FeedbackCounts, Thread } from "./feedback.ts";

/** Reads a drop's counts from their item, which is undefined before the first comment. */
export function toFeedbackCounts(item: Item | undefined): FeedbackCounts & { readonly lastThread: number } {
  return {
    threads: (item?.threadCount ?? 0) as number,
    openThreads: (item?.openCount ?? 0) as number,
    lastThread: (item?.lastThread ?? 0) as number,
  };
}

/** The item of a thread. */
export function toThreadItem({ slug, thread, ...attributes }: Thread): Item {
  return { ...keys.thread(slug, thread), ...attributes };
}

/** The thread of an item. */
export function toThread(item: Item): Thread {
  const { pk: _pk, sk: _sk, ...attributes } = item;
  const { slug, thread } = placeOf(item);
  return { slug, thread, ...attributes } as Thread;
}

/** The item of a comment. It names the drop's owner, whom the stream needs to know. */
export function toCommentItem(
  { slug, thread, comment, author, ...attributes }: Comment,
  ownerId: string,
): Item {
  const { kind: authorKind, name: authorName } = author;
  return {
    ...keys.comment(slug, thread, comment),
    ownerId,
    authorKind,
    authorName,
    ...(author.kind === "reader" ? { authorIdentity: author.identity } : {}),
    ...attributes,
  };
}

/** The comment of an item. */
export function toComment(item: Item): Comment {
  const { slug, thread, comment } = placeOf(item);
  return {
    slug,
    thread,
    comment,
    sequence: item.sequence as number,
    author: { kind: item.authorKind, name: item.authorName, identity: item.authorIdentity } as Author,
    text: item.text as string,
    version: item.version as number,
    createdAtMs: item.createdAtMs as number,
  };
}

/** Slug and numbers of an item. Only comments have a comment number. */
function placeOf({ pk, sk }: Item): {
  readonly slug: string;
  readonly thread: number;
  readonly comment: number;
} {
  const [, thread, comment = "0"] = (sk as string).split("#");
  return { slug: (pk as string).slice("SLUG#".length), thread: Number(thread), comment: Number(comment) };
}

/**
 * Keys of all feedback items below a slug: threads, comments, sent forms and counts. Used to delete a drop for good. The
 * comments' numbers in the account's log remain.
 */
export async function feedbackKeysOf(slug: string): Promise<Key[]> {
  const found = await Promise.all(
    [ranges.threads(slug), ranges.comments(slug), ranges.sentForms(slug)].map(queryKeys),
  );
  // The counts are last: a retry after a failure reads them to find the rest.
  return [...found.flat(), keys.feedback(slug)];
}
