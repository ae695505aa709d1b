import { type Key, keys, ranges } from "../table/keys.ts";
import { type Item, queryKeys } from "../table/table.ts";
import type { Author, Comment, FeedbackCounts, Thread } from "./feedback.ts";

/** The counts of a drop as their item holds them; undefined where nobody has written yet. */
export function toFeedbackCounts(item: Item | undefined): FeedbackCounts & { readonly lastThread: number } {
  return {
    threads: (item?.threadCount ?? 0) as number,
    openThreads: (item?.openCount ?? 0) as number,
    lastThread: (item?.lastThread ?? 0) as number,
  };
}

/** A thread as its item holds it. */
export function toThreadItem({ slug, thread, ...attributes }: Thread): Item {
  return { ...keys.thread(slug, thread), ...attributes };
}

/** The thread of an item. */
export function toThread(item: Item): Thread {
  const { slug, thread } = placeOf(item);
  return {
    slug,
    thread,
    state: item.state as Thread["state"],
    quote: item.quote as string | undefined,
    path: item.path as string | undefined,
    version: item.version as number,
    commentCount: item.commentCount as number,
    createdAtMs: item.createdAtMs as number,
    updatedAtMs: item.updatedAtMs as number,
  };
}

/** A comment as its item holds it, which tells whose drop it is on: the stream has no other way to know. */
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
    author: toAuthor(item),
    text: item.text as string,
    version: item.version as number,
    createdAtMs: item.createdAtMs as number,
  };
}

/** The numbers of an item; a thread has none of a comment. */
function placeOf({ pk, sk }: Item): {
  readonly slug: string;
  readonly thread: number;
  readonly comment: number;
} {
  const [, thread, comment = "0"] = (sk as string).split("#");
  return { slug: (pk as string).slice("SLUG#".length), thread: Number(thread), comment: Number(comment) };
}

function toAuthor(item: Item): Author {
  const name = item.authorName as string;
  switch (item.authorKind as Author["kind"]) {
    case "reader":
      return { kind: "reader", name, identity: item.authorIdentity as string };
    case "named":
      return { kind: "named", name };
    case "owner":
      return { kind: "owner", name };
  }
}

/**
 * Keys of all feedback items below a slug: threads, comments, sent forms and counts. Used to delete a drop for good. The
 * comments' numbers in the account's log remain.
 */
export async function feedbackKeysOf(slug: string): Promise<Key[]> {
  const found = await Promise.all(
    [ranges.threads(slug), ranges.comments(slug), ranges.sentForms(slug)].map(queryKeys),
  );
  // The counts last: whoever begins anew after a failure finds the rest by its own keys.
  return [...found.flat(), keys.feedback(slug)];
}
