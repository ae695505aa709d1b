import { type Key, keys, ranges } from "../table/keys.ts";
import { type Item, queryKeys } from "../table/table.ts";
import type { Author, Comment, FeedbackCounts, Thread } from "./feedback.ts";

/** Parses the table item with a drop's thread counts. The item is undefined before the first comment. */
export function toFeedbackCounts(item: Item | undefined): FeedbackCounts & { readonly lastThread: number } {
  return {
    threads: (item?.threadCount ?? 0) as number,
    openThreads: (item?.openCount ?? 0) as number,
    lastThread: (item?.lastThread ?? 0) as number,
  };
}

/** Converts a thread to a table item. */
export function toThreadItem({ slug, thread, ...attributes }: Thread): Item {
  return { ...keys.thread(slug, thread), ...attributes };
}

/** Converts a table item to a thread. */
export function toThread(item: Item): Thread {
  const { pk: _pk, sk: _sk, ...attributes } = item;
  const { slug, thread } = placeOf(item);
  return { slug, thread, ...attributes } as Thread;
}

/** Converts a comment to a table item, which includes the owner's id for the stream listener. */
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

/** Converts a table item to a comment. */
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

/** Parses slug, thread number and comment number from an item's key. A thread's key has no comment number. */
function placeOf({ pk, sk }: Item) {
  const [, thread, comment = "0"] = (sk as string).split("#");
  return { slug: (pk as string).slice("SLUG#".length), thread: Number(thread), comment: Number(comment) };
}

/**
 * Returns the keys of a drop's threads, comments, records of sent forms, and counts, to delete the drop permanently. The comments' event
 * numbers remain in the account's log.
 */
export async function feedbackKeysOf(slug: string): Promise<Key[]> {
  const found = await Promise.all(
    [ranges.threads(slug), ranges.comments(slug), ranges.sentForms(slug)].map(queryKeys),
  );
  // The counts are deleted last, because a retry after a failure needs them to find the other items.
  return [...found.flat(), keys.feedback(slug)];
}
